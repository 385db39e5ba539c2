"""Addresses of this game."""

from django.urls import path

from certification import views

app_name = "certification"
urlpatterns = [path("", views.index, name="index")]

"""Addresses of this game."""

from django.urls import path

from poker import views

app_name = "poker"
urlpatterns = [path("", views.index, name="index")]

"""Addresses of this game."""

from django.urls import path

from xiangqi import views

app_name = "xiangqi"
urlpatterns = [path("", views.index, name="index")]

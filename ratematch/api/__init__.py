"""The API of rated matches: one door among others; every call goes into the same services as the pages."""

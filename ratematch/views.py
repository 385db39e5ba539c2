from django.http import HttpResponse


def _s(request, **k):
    return HttpResponse("")


lobby = join = leave = condition = history = ladder = rules = player = match = move = attach = remove = submit = (
    picture
) = _s

"""One request: signed so that others' code can check it, bounded, and never to where it mustn't go."""

from __future__ import annotations

import datetime as dt
import socket
import ssl
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from ipaddress import ip_address

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from standardwebhooks import Webhook

from accounts.services.webhooks import addresses, sending
from accounts.tests.receiver import receiving
from common.errors import Invalid

SECRET, OLD = "whsec_" + "QUJD" * 8, "whsec_" + "WFla" * 8
BODY = '{"type":"ping","data":{"name":"番付"}}'.encode()


def send(url: str, secrets: tuple[str, ...] = (SECRET,)) -> sending.Result:
    """One try, in a thread of its own as on the site: a browser test before this one leaves a loop in the main one."""
    with ThreadPoolExecutor(1) as thread:
        now = dt.datetime.now(dt.UTC)
        return thread.submit(sending.send, url, secrets=secrets, message_id="msg_1", body=BODY, at=now).result()


def test_the_standard_librarys_verification_takes_it():
    """`standardwebhooks` is the reference implementation, and none of ours."""
    with receiving() as receiver:
        assert send(receiver.url, (SECRET, OLD)) == sending.Result(status=204)
    headers, body = receiver.came[0]
    assert body == BODY
    for secret in (SECRET, OLD):
        assert Webhook(secret).verify(body, headers)["data"] == {"name": "番付"}
    assert headers["host"].startswith("localhost:")
    assert headers["content-type"] == "application/json"


@pytest.mark.parametrize(("status", "delivered"), [(200, True), (299, True), (302, False), (410, False), (500, False)])
def test_only_2xx_is_delivered(status, delivered):
    with receiving() as receiver:
        receiver.status, receiver.headers = status, {"Location": receiver.url, "Retry-After": "120"}
        result = send(receiver.url)
    assert (result.status, result.delivered, result.gone) == (status, delivered, status == 410)
    assert result.retry_after_s == 120
    assert len(receiver.came) == 1, "no redirect is followed"


@pytest.fixture
def raw():
    """A server that answers with these bytes, whatever comes; None holds the line."""
    stop = threading.Event()
    sockets = []

    def answer_with(answer: bytes | None) -> str:
        listening = socket.create_server(("127.0.0.1", 0))
        sockets.append(listening)

        def serve() -> None:
            connection, _ = listening.accept()
            with connection, suppress(OSError):
                connection.recv(4096)
                if answer is None:
                    stop.wait(20)
                    return
                connection.sendall(answer)
                connection.shutdown(socket.SHUT_WR)
                while connection.recv(4096):  # closing on something unread would reset the connection
                    pass

        threading.Thread(target=serve, daemon=True).start()
        return f"http://127.0.0.1:{listening.getsockname()[1]}/"

    yield answer_with
    stop.set()
    for listening in sockets:
        listening.close()


def test_what_is_no_answer_is_told(raw, monkeypatch):
    assert send(raw(b"SSH-2.0-OpenSSH\r\n\r\n")).problem == "no_http"
    assert send(raw(b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 10_000)).problem == "no_http"
    assert send(raw(b"HTTP/1.1 100 Continue\r\n\r\n" * 50)).problem == "no_http"
    assert send(raw(b"")).problem == "no_http"
    assert send(raw(b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\nx")).delivered, "the body isn't read"
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    assert send(f"http://127.0.0.1:{port}/").problem == "no_connection"
    assert send("https://no-such-host.invalid/").problem == "unknown_host"
    monkeypatch.setattr(sending, "TIMEOUT_S", 0.2)
    assert send(raw(None)).problem == "timed_out"


@pytest.fixture
def certificate(tmp_path):
    """A certificate for localhost that nobody knows yet."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = dt.datetime.now(dt.UTC)
    made = (
        x509.CertificateBuilder(issuer_name=name, subject_name=name, public_key=key.public_key())
        .serial_number(1)
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(
            x509.KeyUsage(True, False, False, False, False, True, False, False, False),
            critical=True,
        )
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path = tmp_path / "localhost.pem"
    path.write_bytes(private + made.public_bytes(serialization.Encoding.PEM))
    return path


def test_certificates_are_checked(certificate, monkeypatch):
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(certificate)
    with receiving(tls) as receiver:
        assert send(receiver.url).problem == "bad_tls"
        assert receiver.came == []
        monkeypatch.setattr(sending, "_tls", lambda: ssl.create_default_context(cafile=str(certificate)))
        assert send(receiver.url).delivered
        assert send(receiver.url.replace("localhost", "127.0.0.1")).problem == "bad_tls", "the name counts, too"


PRIVATE = [
    *("127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.0.1", "169.254.169.254", "100.64.0.1", "224.0.0.1"),
    *("240.0.0.1", "0.0.0.1", "255.255.255.255", "192.0.2.1", "::1", "::", "fe80::1", "fc00::1", "fec0::1", "ff02::1"),
    *("::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "2002:7f00:1::", "2001:db8::1"),
    *("64:ff9b:1::1", "::ffff:169.254.169.254", "fe80::1%lo", "2001:0:7f00:1::"),
]


@pytest.mark.parametrize("address", PRIVATE)
def test_private_addresses_are_refused_in_whatever_dress(address, settings):
    settings.WEBHOOKS_TO_LOOPBACK = False
    assert not addresses.may_reach(ip_address(address))
    host = f"[{address}]" if ":" in address else address
    if "%" not in address:
        with pytest.raises(Invalid, match="private_webhook_url"):
            addresses.parse(f"https://{host}/hook")
    assert send(f"https://{host}/hook").problem == "refused_address"


@pytest.mark.parametrize("address", ["93.184.216.34", "2606:4700::1111", "::ffff:93.184.216.34", "64:ff9b::5db8:d822"])
def test_public_addresses_are_reached(address):
    assert addresses.may_reach(ip_address(address))


BAD = [
    *("http://example.org/", "ftp://example.org/", "https://", "https:///x", "//example.org", "example.org", ""),
    *("https://user@example.org/", "https://u:p@example.org/", "https://example.org/#part", "https://example.org:25/"),
    *("https://example.org:0/", "https://example.org:70000/", "https://example.org:x/", "https://exa mple.org/"),
    *("https://example.org/\r\nX: y", "https://example.org/\x00", "https://[::1/", "https://example.org/番付"),
    *("https://" + "a" * 500 + ".org/", "https://" + "a" * 64 + ".org/", "http://127.0.0.1:8000/", "http://localhost/"),
    *("https://..example.org/",),
]


@pytest.mark.parametrize("url", BAD)
def test_odd_addresses_are_refused(url, settings):
    settings.WEBHOOKS_TO_LOOPBACK = False
    with pytest.raises(Invalid, match="bad_webhook_url"):
        addresses.parse(url)


def test_good_addresses():
    target = addresses.parse("https://bücher.example:8443/a/b?c=d&e=%20")
    assert target == addresses.Target(tls=True, host="xn--bcher-kva.example", port=8443, path="/a/b?c=d&e=%20")
    assert target.authority == "xn--bcher-kva.example:8443"
    assert addresses.parse("https://[2606:4700::1111]").authority == "[2606:4700::1111]"
    assert addresses.parse("https://example.org").path == "/"


@pytest.mark.parametrize("name", ["127.1", "2130706433", "0x7f.1", "localhost", "localhost."])
def test_a_name_that_leads_home_is_refused_when_it_is_resolved(name, settings):
    settings.WEBHOOKS_TO_LOOPBACK = False
    assert send(f"https://{name}/").problem in ("refused_address", "unknown_host")


def test_the_connection_goes_to_the_very_address_that_was_checked(monkeypatch):
    """A name server that answers otherwise the second time isn't asked a second time."""
    asked = []
    ask = socket.getaddrinfo

    def rebinding(host, *args, **kwargs):
        asked.append(host)
        return ask("127.0.0.1" if host == "rebinding.example" else host, *args, **kwargs)

    monkeypatch.setattr(socket, "getaddrinfo", rebinding)
    with receiving() as receiver:
        port = int(receiver.url.split(":")[2].partition("/")[0])
        send(f"https://rebinding.example:{port}/")
    assert asked.count("rebinding.example") == 1


def test_one_private_address_among_public_ones_is_enough(monkeypatch, settings):
    settings.WEBHOOKS_TO_LOOPBACK = False
    both = [(2, 1, 6, "", (address, 443)) for address in ("93.184.216.34", "10.0.0.1")]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *args, **kwargs: both)
    assert send("https://two-faced.example/").problem == "refused_address"

"""The OpenAPI document: valid, whole, the same in every run, and true of the fake it is made for."""

import json
import os
import subprocess
import sys

import httpx
import pytest
from openapi_schema_validator import OAS31Validator
from openapi_spec_validator import OpenAPIV31SpecValidator

import svckit
from fakes import FakeService
from fakes.handlers.routes import ROUTES
from fakes.http.addresses import BaseURLs
from fakes.openapi import openapi
from fakes.rulebook.rule import RULEBOOK
from svckit.display.masking import mask

from ...loopback import local_client
from ..caller import make
from .fuzzing import Campaign, operations


@pytest.fixture(scope="module")
def document():
    return make().openapi()


def every_operation(document):
    for path, item in document["paths"].items():
        for method in item.keys() - {"servers"}:
            yield path, method, item[method]


def examples(value):
    """Every pair of a schema and an example of it."""
    if isinstance(value, dict):
        if "schema" in value:
            shown = [each["value"] for each in value.get("examples", {}).values()]
            yield from (
                (value["schema"], each)
                for each in [*shown, *([value["example"]] if "example" in value else [])]
            )
        for part in value.values():
            yield from examples(part)
    elif isinstance(value, list):
        for part in value:
            yield from examples(part)


def complaints(document, schema, example):
    """What is wrong with an example of a schema, which may refer to the components of a document."""
    whole = {**schema, "components": document["components"]}
    return [error.message for error in OAS31Validator(whole).iter_errors(example)]


def test_it_is_valid(document):
    assert list(OpenAPIV31SpecValidator(document).iter_errors()) == []


def test_it_has_every_operation_at_the_server_of_its_area(document):
    found = {
        (method.upper(), path, document["paths"][path].get("servers", document["servers"])[0]["url"])
        for path, method, _ in every_operation(document)
    }
    addresses = BaseURLs()
    assert found == {(route.method, route.template, getattr(addresses, route.area)) for route in ROUTES}
    names = [operation["operationId"] for _, _, operation in every_operation(document)]
    assert len(names) == len(set(names)) == operations()


def test_document_has_one_server_the_api(document):
    assert [server["url"] for server in document["servers"]] == [BaseURLs().api]
    own = {path for path, item in document["paths"].items() if "servers" in item}
    assert own == {route.template for route in ROUTES if route.area != "api"}


@pytest.mark.parametrize("ending", ["_raw", "_with_http_info", "_without_preload_content", "_sync"])
def test_no_operation_is_named_like_what_a_generator_adds_to_another(document, ending):
    names = {operation["operationId"] for _, _, operation in every_operation(document)}
    assert not {name for name in names if name.removesuffix(ending) in names - {name}}


def test_provenance_is_everywhere_and_names_rules_that_there_are(document):
    sections = {rule.section for rule in RULEBOOK.values()}
    for _, _, operation in every_operation(document):
        assert operation["x-provenance"]["section"] in sections
        for response in operation["responses"].values():
            for case in response["x-provenance"]["cases"]:
                assert case["rules"]
                rules = [RULEBOOK[rule_id] for rule_id in case["rules"]]
                assumed = any(rule.provenance == "assumed" for rule in rules)
                assert case["provenance"] == ("assumed" if assumed else "documented")
    assert document["x-rules"].keys() == RULEBOOK.keys()


@pytest.mark.parametrize(
    ("path", "method", "status", "provenance"),
    [
        ("/users/{userId}", "patch", "200", "documented"),
        ("/users/{userId}", "patch", "401", "assumed"),
        ("/message/{webhookId}", "post", "429", "documented"),
        ("/message/{webhookId}", "post", "400", "documented"),
        ("/message/{webhookId}", "post", "200", "documented"),
        ("/oauth2/v2.0/authorize", "get", "200", "documented"),
        ("/uploads/{address}", "put", "400", "assumed"),
        ("/downloads/{address}", "get", "200", "documented"),
    ],
)
def test_a_status_is_documented_where_the_description_shows_it(document, path, method, status, provenance):
    assert document["paths"][path][method]["responses"][status]["x-provenance"]["provenance"] == provenance


def test_a_download_has_a_media_type_that_generators_of_clients_know(document):
    answers = document["paths"]["/downloads/{address}"]["get"]["responses"]
    assert list(answers["200"]["content"]) == ["application/octet-stream", "*/*"]


def test_body_fields_have_no_defaults(document):
    schemas = document["components"]["schemas"]
    fields = [field for schema in schemas.values() for field in schema.get("properties", {}).values()]
    assert len(fields) > 100
    assert [field for field in fields if "default" in field] == []


@pytest.mark.parametrize(
    ("schema", "field", "default"),
    [
        ("UserChange", "searchable", "true"),
        ("User", "searchable", "true"),
        ("OrgUnitChange", "isManager", "false"),
        ("OrgUnitChange", "visible", "true"),
        ("OrgUnitChange", "useTeamFeature", "true"),
        ("AutoReply", "sentDirectlyToMe", "false"),
    ],
)
def test_the_defaults_of_the_description_are_told_in_words(document, schema, field, default):
    described = document["components"]["schemas"][schema]["properties"][field]["description"]
    assert f"The service's default is {default}." in described


def test_a_token_set_may_lack_its_refresh_token(document):
    tokens = document["components"]["schemas"]["TokenSet"]
    assert "default" not in tokens["properties"]["refresh_token"]
    assert "None" not in tokens["properties"]["refresh_token"]["description"]
    assert "refresh_token" not in tokens["required"]


@pytest.mark.parametrize(
    ("form", "valid"),
    [
        ({"Filedata": "hello"}, True),
        ({"resourceName": "a.txt", "FileData": "hello"}, True),
        ({"FileData": "hello"}, False),
        ({"resourceName": "a.txt"}, False),
        ({}, False),
    ],
)
def test_both_forms_of_an_upload_are_one_object_that_generators_know(document, form, valid):
    upload = document["components"]["schemas"]["UploadForm"]
    assert upload["type"] == "object"
    assert {name for name, field in upload["properties"].items() if field.get("format") == "binary"} == {
        "Filedata",
        "FileData",
    }
    assert (complaints(document, upload, form) == []) is valid


def test_its_version_is_that_of_the_fake_and_said_to_be(document):
    assert document["info"]["version"] == svckit.__version__
    assert "The version is that of the fake" in document["info"]["description"]


def test_examples_are_what_their_schemas_say(document):
    pairs = list(examples(document["paths"]))
    assert len(pairs) > 100
    assert [wrong for schema, example in pairs for wrong in complaints(document, schema, example)] == []


def test_it_holds_no_secret(document):
    text = json.dumps(document, ensure_ascii=False)
    fake = make()
    secrets = [fake.facts[name] for name in ("client_secret", "password", "bot_secret", "admin_key")]
    assert [secret for secret in secrets if secret in text] == []
    assert mask(json.dumps(document["paths"]["/users/{userId}"])) == json.dumps(
        document["paths"]["/users/{userId}"]
    )


def test_it_is_the_same_in_every_run():
    code = "import json; from fakes.openapi import openapi; print(json.dumps(openapi()))"
    there = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONHASHSEED": "1"},
        capture_output=True,
        check=True,
    )
    assert there.stdout.decode().strip() == json.dumps(openapi())


@pytest.mark.parametrize(
    ("assume", "path", "method", "there", "gone"),
    [
        ({"api.unauthorized": "403"}, "/users/{userId}", "patch", "403", "401"),
        ({"api.invalid": "422"}, "/users/{userId}", "patch", "422", "400"),
        ({"file.upload-status": "201"}, "/users/{userId}/drive/files", "post", "201", "200"),
        ({"file.raw": "accepted"}, "/uploads/{address}", "put", "201", None),
        ({"api.scope": "file-and-user"}, "/users/{userId}", "patch", "403", None),
        ({"lifecycle.ended": "410"}, "/users/{userId}/mail", "delete", "410", "404"),
    ],
)
def test_it_follows_the_alternatives_that_are_chosen(document, assume, path, method, there, gone):
    answers = FakeService.sample(assume=assume).openapi()["paths"][path][method]["responses"]
    assert there in answers
    assert gone not in answers
    assert there not in document["paths"][path][method]["responses"]


def test_the_shape_of_errors_follows_too():
    document = FakeService.sample(assume={"api.error-body": "oauth2"}).openapi()
    assert document["components"]["schemas"]["ResourceError"]["required"] == ["error", "error_description"]


def test_to_describe_a_fake_is_no_use_of_its_rules():
    strict = make(assumptions="refuse")
    assert strict.openapi()["paths"] == make().openapi()["paths"]
    assert [rule.id for rule in strict.rules if rule.used] == []


@pytest.mark.parametrize(("path", "name"), [("openapi", "openapi"), ("admin-openapi", "admin_openapi")])
def test_the_admin_interface_gives_it_away_without_a_key(fake, path, name):
    with httpx.Client(transport=fake.transport()) as http:
        response = http.get(f"{fake.facts['admin_url']}/{path}.json")
        assert http.get(f"{fake.facts['admin_url']}/clock").status_code == 401
    assert response.json() == getattr(fake, name)()


def test_a_served_fake_names_its_own_addresses():
    with make().serve() as served:
        with local_client() as http:
            document = http.get(f"{served.url}/admin/openapi.json").json()
        assert document["paths"]["/downloads/{address}"]["servers"][0]["url"] == f"{served.url}/storage"
    assert list(OpenAPIV31SpecValidator(document).iter_errors()) == []


def test_what_the_fake_answers_is_what_the_document_says():
    """Some hundred requests that schemathesis makes up; `fuzzing.py` sends more."""
    campaign = Campaign(each=6, each_retired=2).run()
    assert campaign.answers.total() >= 300
    assert {("users.update", 200), ("storage.receive", 201), ("auth.token", 200)} <= set(campaign.answers)
    assert ("notifications.post", 429) in campaign.answers
    assert len(campaign.unreached) < 20, campaign.unreached

"""Reads the template as `sam local` does, and prints as JSON what SAM finds in it."""

import json
import os
import sys

from samcli.commands.local.lib.local_api_service import LocalApiService  # noqa: F401  (its import proves the version)
from samcli.lib.providers.api_provider import ApiProvider
from samcli.lib.providers.sam_function_provider import SamFunctionProvider
from samcli.lib.providers.sam_stack_provider import SamLocalStackProvider
from samcli.local.apigw.local_apigw_service import LocalApigwService

template = os.path.abspath(sys.argv[1])
requests = json.loads(sys.argv[2])
folder = os.path.dirname(template)
stacks, _ = SamLocalStackProvider.get_stacks(template)
functions = SamFunctionProvider(stacks, use_raw_codeuri=False)
api = ApiProvider(stacks, cwd=folder).api


class Recorder:
    """Stands where SAM starts a container: answers with the event that the function would get."""

    def is_debugging(self):
        return False

    def invoke(self, name, event, stdout, stderr=None, tenant_id=None, **_):
        answer = {"statusCode": 200, "body": json.dumps({"function": name, "event": json.loads(event)})}
        stdout.write_str(json.dumps(answer))


def describe(one):
    code = one.codeuri if os.path.isabs(one.codeuri) else os.path.join(folder, one.codeuri)
    handler = os.path.join(code, one.handler.split(".")[0] + ".mjs")
    variables = (one.environment or {}).get("Variables", {})
    return {
        "name": one.functionname,
        "handlerExists": os.path.isfile(handler),
        "fileExists": os.path.isfile(os.path.join(code, variables.get("FUNCTION_FILE", ""))) or "FUNCTION_FILE" not in variables,
        "layersExist": all(os.path.isdir(os.path.join(folder, layer.codeuri)) for layer in one.layers),
        "runtime": one.runtime,
        "timeout": one.timeout,
        "memory": one.memory,
        "variables": variables,
    }


gateway = LocalApigwService(api, Recorder(), port=3000, host="127.0.0.1")
gateway.create()
client = gateway._app.test_client(use_cookies=False)


def send(request):
    reply = client.open(
        request["path"],
        method=request["method"],
        headers=request.get("headers", {}),
        data=bytes(request["bytes"]) if "bytes" in request else None,
    )
    text = reply.get_data(as_text=True)
    return {"status": reply.status_code, "reply": json.loads(text) if text.startswith("{") else text}


print(
    json.dumps(
        {
            "routes": [
                {
                    "path": route.path,
                    "methods": route.methods,
                    "function": route.function_name,
                    "payload": route.payload_format_version,
                    "found": functions.get(route.function_name) is not None,
                }
                for route in api.routes
            ],
            "functions": [describe(one) for one in functions.get_all()],
            "answers": [send(request) for request in requests],
        }
    )
)

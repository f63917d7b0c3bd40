"""A store in another language, written from the interface document alone. Tests judge it and mechanical changes of it."""

import json
import re
import sys
import threading
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

API_KEY = "Python-Store-Key-1"
INT64_MIN, INT64_MAX = -(2**63), 2**63 - 1


class Failure(Exception):
    def __init__(self, status, code, message):
        super().__init__(message)
        self.status, self.code, self.message = status, code, message


class Database:
    def __init__(self):
        self.lock = threading.Lock()
        self.orders = {}
        self.stock = {}
        self.next_order = 100
        self.next_pet = 10
        self.setups = {}

    # mutation: off
    def add_order(self, state, order_id=None):
        if order_id is None:
            while self.next_order in self.orders:
                self.next_order += 1
            order_id = self.next_order
        if order_id in self.orders:
            raise Failure(409, "id_taken", "The id is taken.")
        self.orders[order_id] = {"petId": 1, "quantity": 1, "state": state, "complete": state == "shipped"}
        return order_id

    def add_pet(self, quantity):
        while self.next_pet in self.stock:
            self.next_pet += 1
        self.stock[self.next_pet] = quantity
        return self.next_pet

    # mutation: on
    def list_orders(self):
        with self.lock:
            return [
                {
                    "id": order_id,
                    "petId": order["petId"],
                    "quantity": order["quantity"],
                    "shipDate": "2026-11-30T10:00:00Z",
                    "complete": order["complete"],
                }
                for order_id, order in self.orders.items()
                if order["state"] != "cancelled"
            ]

    def cancel_order(self, order_id):
        with self.lock:
            order = self.orders.get(order_id)
            if order is None:
                raise Failure(404, "order_not_found", "There is no such order.")
            if order["state"] == "shipped":
                raise Failure(409, "order_shipped", "The order has already shipped.")
            if order["state"] == "cancelled":
                raise Failure(404, "order_not_found", "The order was cancelled.")
            order["state"] = "cancelled"

    def list_inventory(self):
        with self.lock:
            return [entry(pet, quantity) for pet, quantity in self.stock.items()]

    def update_inventory(self, pet, quantity):
        with self.lock:
            if pet not in self.stock:
                raise Failure(404, "pet_not_found", "There is no such pet.")
            self.stock[pet] = quantity
            return entry(pet, quantity)

    # mutation: off
    def setup(self, state, params):
        with self.lock:
            count = int(params.get("count", 1))
            if state == "pending orders":
                ids = [self.add_order("pending") for _ in range(count)]
            elif state == "shipped orders":
                ids = [self.add_order("shipped") for _ in range(count)]
            elif state == "pending order with id":
                ids = [self.add_order("pending", int(params["id"]))]
            elif state == "pets":
                ids = [self.add_pet(int(params["quantity"])) for _ in range(count)]
            else:
                raise Failure(400, "unknown_state", "There is no such state.")
            name = "petIds" if state == "pets" else "orderIds"
            self.setups.setdefault((state, str(params)), []).append(ids)
            return {name: [str(each) for each in ids]}

    def teardown(self, state, params):
        with self.lock:
            setups = self.setups.get((state, str(params)))
            rows = self.stock if state == "pets" else self.orders
            for each in setups.pop(0) if setups else []:
                rows.pop(each, None)
            return {}

    # mutation: on


def entry(pet, quantity):
    return {"petId": pet, "quantity": quantity, "status": "sold" if quantity == 0 else "available"}


def parse_id(text):
    if not re.fullmatch(r"-?[0-9]{1,19}", text):
        raise Failure(404, "not_found", "The path is no id.")
    value = int(text)
    if value < INT64_MIN or value > INT64_MAX:
        raise Failure(404, "not_found", "The id is out of range.")
    return value


def parse_quantity(raw):
    try:
        body = json.loads(raw, parse_float=Decimal)
    except (ValueError, RecursionError) as error:
        raise Failure(400, "bad_json", "The body is not JSON.") from error
    if not isinstance(body, dict):
        raise Failure(400, "bad_body", "The body is not an object.")
    quantity = body.get("quantity")
    if isinstance(quantity, bool) or not isinstance(quantity, int):
        raise Failure(400, "bad_quantity", "quantity must be an integer.")
    if quantity < 0 or quantity > INT64_MAX:
        raise Failure(400, "bad_quantity", "quantity is out of range.")
    return quantity


database = Database()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def read_body(self):
        length = self.headers.get("Content-Length", "0")
        return self.rfile.read(int(length)) if length.isdigit() else b""

    def authenticate(self):
        scheme, _, key = self.headers.get("Authorization", "").partition(" ")
        if scheme.lower() != "bearer" or key.strip() != API_KEY:
            raise Failure(401, "unauthorized", "A valid API key is required.")

    def route(self, raw):
        path = self.path.split("?")[0]
        # mutation: off
        if path == "/provider-states" and self.command == "POST":
            request = json.loads(raw)
            act = database.teardown if request.get("action") == "teardown" else database.setup
            return 200, act(request["state"], request.get("params") or {})
        # mutation: on
        self.authenticate()
        if path == "/v1/store/orders" and self.command == "GET":
            return 200, database.list_orders()
        if path == "/v1/inventory" and self.command == "GET":
            return 200, database.list_inventory()
        order = re.fullmatch(r"/v1/store/orders/([^/]+)", path)
        if order and self.command == "DELETE":
            database.cancel_order(parse_id(order.group(1)))
            return 204, None
        pet = re.fullmatch(r"/v1/inventory/([^/]+)", path)
        if pet and self.command == "PATCH":
            pet_id = parse_id(pet.group(1))
            if pet_id not in database.stock:
                raise Failure(404, "pet_not_found", "There is no such pet.")
            return 200, database.update_inventory(pet_id, parse_quantity(raw))
        raise Failure(404, "not_found", "There is nothing here.")

    def handle_request(self):
        raw = self.read_body()
        try:
            status, body = self.route(raw)
        except Failure as failure:
            status = failure.status
            body = {"code": failure.code, "message": failure.message, "status": failure.status}
        except Exception:
            status, body = 500, {"code": "internal", "message": "Internal error.", "status": 500}
        content = b"" if body is None else json.dumps(body).encode()
        self.send_response(status)
        if body is not None:
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    do_GET = do_DELETE = do_PATCH = do_POST = do_PUT = do_PROPFIND = handle_request

    # mutation: off
    def log_message(self, *_):
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128


if __name__ == "__main__":
    server = Server(("127.0.0.1", 0), Handler)
    print(server.server_address[1], flush=True)
    server.serve_forever()

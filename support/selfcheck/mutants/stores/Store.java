import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.*;
import java.util.concurrent.*;

/** A store in another language, written from the interface document alone. Tests judge it and mechanical changes of it. */
public final class Store {
    static final String API_KEY = "Java-Store-Key-1";

    enum State { PENDING, SHIPPED, CANCELLED }

    static final class Order {
        final long id;
        final long petId = 1;
        State state;

        Order(long id, State state) {
            this.id = id;
            this.state = state;
        }

        String toJson() {
            return "{\"id\":" + id + ",\"petId\":" + petId + ",\"quantity\":2,\"shipDate\":\"2026-12-01T08:30:00+01:00\",\"complete\":"
                + (state == State.SHIPPED) + "}";
        }
    }

    static final class Refused extends RuntimeException {
        final int status;

        Refused(int status, String message) {
            super(message);
            this.status = status;
        }
    }

    /** One response: the status and the JSON, which is absent for 204. */
    record Reply(int status, String json) {}

    static final Map<Long, Order> orders = new ConcurrentSkipListMap<>();
    static final Map<Long, BigDecimal> stock = new ConcurrentSkipListMap<>();
    static final Map<String, Deque<List<Long>>> setups = new HashMap<>();
    static long lastId = 5000;

    static Reply listOrders() {
        StringJoiner list = new StringJoiner(",", "[", "]");
        for (Order order : orders.values()) list.add(order.toJson());
        return new Reply(200, list.toString());
    }

    static Reply cancelOrder(String segment) {
        Long id = integer(segment);
        Order order = id == null ? null : orders.get(id);
        if (order == null) throw new Refused(404, "No such order");
        synchronized (order) {
            if (order.state != State.PENDING) throw new Refused(409, "The order is not pending");
            order.state = State.CANCELLED;
        }
        return new Reply(204, null);
    }

    static String entry(long pet, BigDecimal quantity) {
        String status = quantity.signum() > 0 ? "available" : "sold";
        return "{\"petId\":" + pet + ",\"quantity\":" + quantity.toPlainString() + ",\"status\":\"" + status + "\"}";
    }

    static Reply listInventory() {
        StringJoiner list = new StringJoiner(",", "[", "]");
        stock.forEach((pet, quantity) -> list.add(entry(pet, quantity)));
        return new Reply(200, list.toString());
    }

    static Reply updateInventory(String segment, byte[] body) {
        Long pet = integer(segment);
        if (pet == null || !stock.containsKey(pet)) throw new Refused(404, "No such pet");
        Object document = Json.parse(body);
        if (!(document instanceof Map<?, ?> members)) throw new Refused(400, "The body must be an object");
        if (!(members.get("quantity") instanceof BigDecimal number)) throw new Refused(400, "quantity must be a number");
        if (number.signum() < 0) throw new Refused(400, "quantity must not be negative");
        if (number.precision() - number.scale() > 30) throw new Refused(400, "quantity is too large");
        if (number.stripTrailingZeros().scale() > 0) throw new Refused(400, "quantity must be an integer");
        BigDecimal quantity = number.setScale(0);
        stock.put(pet, quantity);
        return new Reply(200, entry(pet, quantity));
    }

    /** The integer that a path segment stands for, or null. */
    static Long integer(String segment) {
        if (!segment.matches("-?(0|[1-9][0-9]*)")) return null;
        try {
            return Long.valueOf(segment);
        } catch (NumberFormatException tooLarge) {
            return null;
        }
    }

    // mutation: off
    static synchronized Reply providerState(byte[] body) {
        Map<?, ?> request = (Map<?, ?>) Json.parse(body);
        String state = (String) request.get("state");
        Map<?, ?> params = request.get("params") instanceof Map<?, ?> given ? given : Map.of();
        Deque<List<Long>> made = setups.computeIfAbsent(state + params, key -> new ArrayDeque<>());
        if ("teardown".equals(request.get("action"))) {
            List<Long> ids = made.poll();
            if (ids != null) (state.equals("pets") ? stock : orders).keySet().removeAll(ids);
            return new Reply(200, "{}");
        }
        List<Long> ids = new ArrayList<>();
        if (state.equals("pending order with id")) {
            long id = Long.parseLong(params.get("id").toString());
            if (orders.putIfAbsent(id, new Order(id, State.PENDING)) != null) throw new Refused(409, "The id is taken");
            ids.add(id);
        } else {
            int count = params.get("count") instanceof BigDecimal number ? number.intValue() : 1;
            for (int at = 0; at < count; at++) {
                long id = ++lastId;
                switch (state) {
                    case "pending orders" -> orders.put(id, new Order(id, State.PENDING));
                    case "shipped orders" -> orders.put(id, new Order(id, State.SHIPPED));
                    case "pets" -> stock.put(id, (BigDecimal) params.get("quantity"));
                    default -> throw new Refused(400, "No such state");
                }
                ids.add(id);
            }
        }
        made.add(ids);
        StringJoiner texts = new StringJoiner("\",\"", "[\"", "\"]");
        for (long id : ids) texts.add(Long.toString(id));
        return new Reply(200, "{\"" + (state.equals("pets") ? "petIds" : "orderIds") + "\":" + texts + "}");
    }

    // mutation: on
    static void authenticate(HttpExchange exchange) {
        List<String> headers = exchange.getRequestHeaders().getOrDefault("Authorization", List.of());
        if (headers.size() != 1) throw new Refused(401, "One Authorization header is required");
        String[] parts = headers.get(0).split(" +", 2);
        if (parts.length < 2 || !parts[0].equalsIgnoreCase("Bearer") || !parts[1].equals(API_KEY))
            throw new Refused(401, "The API key is missing or invalid");
    }

    static Reply route(HttpExchange exchange, byte[] body) {
        String path = exchange.getRequestURI().getRawPath();
        String method = exchange.getRequestMethod();
        // mutation: off
        if (path.equals("/provider-states")) return providerState(body);
        // mutation: on
        authenticate(exchange);
        if (path.equals("/v1/store/orders")) {
            allow(method, "GET");
            return listOrders();
        }
        if (path.equals("/v1/inventory")) {
            allow(method, "GET");
            return listInventory();
        }
        if (path.startsWith("/v1/store/orders/")) {
            allow(method, "DELETE");
            return cancelOrder(path.substring("/v1/store/orders/".length()));
        }
        if (path.startsWith("/v1/inventory/")) {
            allow(method, "PATCH");
            return updateInventory(path.substring("/v1/inventory/".length()), body);
        }
        throw new Refused(404, "No such path");
    }

    static void allow(String method, String allowed) {
        if (!method.equals(allowed)) throw new Refused(405, "Method not allowed");
    }

    static void handle(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        Reply reply;
        try {
            reply = route(exchange, body);
        } catch (Refused refused) {
            reply = error(refused.status, refused.getMessage());
        } catch (RuntimeException unexpected) {
            reply = error(500, "Internal error");
        }
        if (reply.json() == null) {
            exchange.sendResponseHeaders(reply.status(), -1);
        } else {
            byte[] bytes = reply.json().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(reply.status(), bytes.length);
            exchange.getResponseBody().write(bytes);
        }
        exchange.close();
    }

    static Reply error(int status, String message) {
        return new Reply(status, "{\"code\":\"E" + status + "\",\"message\":\"" + message + "\",\"status\":" + status + "}");
    }

    /** A JSON parser that keeps numbers exact. */
    static final class Json {
        final String text;
        int at = 0;

        Json(String text) {
            this.text = text;
        }

        static Object parse(byte[] bytes) {
            try {
                Json json = new Json(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
                Object value = json.value(0);
                json.skip();
                if (json.at < json.text.length()) throw invalid();
                return value;
            } catch (CharacterCodingException | IndexOutOfBoundsException | NumberFormatException broken) {
                throw invalid();
            }
        }

        static Refused invalid() {
            return new Refused(400, "The body is not JSON");
        }

        void skip() {
            while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) at++;
        }

        boolean take(String token) {
            skip();
            if (!text.startsWith(token, at)) return false;
            at += token.length();
            return true;
        }

        Object value(int depth) {
            if (depth > 100) throw invalid();
            if (take("{")) return object(depth);
            if (take("[")) return array(depth);
            if (take("\"")) return string();
            if (take("true")) return true;
            if (take("false")) return false;
            if (take("null")) return null;
            return number();
        }

        Map<String, Object> object(int depth) {
            Map<String, Object> members = new LinkedHashMap<>();
            if (take("}")) return members;
            do {
                if (!take("\"")) throw invalid();
                String name = string();
                if (!take(":")) throw invalid();
                members.put(name, value(depth + 1));
            } while (take(","));
            if (!take("}")) throw invalid();
            return members;
        }

        List<Object> array(int depth) {
            List<Object> items = new ArrayList<>();
            if (take("]")) return items;
            do items.add(value(depth + 1));
            while (take(","));
            if (!take("]")) throw invalid();
            return items;
        }

        String string() {
            StringBuilder result = new StringBuilder();
            for (char next = text.charAt(at++); next != '"'; next = text.charAt(at++)) {
                if (next < ' ') throw invalid();
                if (next != '\\') {
                    result.append(next);
                    continue;
                }
                char escape = text.charAt(at++);
                int simple = "\"\\/bfnrt".indexOf(escape);
                if (simple >= 0) {
                    result.append("\"\\/\b\f\n\r\t".charAt(simple));
                } else if (escape == 'u') {
                    result.append((char) Integer.parseInt(text.substring(at, at + 4), 16));
                    at += 4;
                } else {
                    throw invalid();
                }
            }
            return result.toString();
        }

        BigDecimal number() {
            int start = at;
            while (at < text.length() && "+-.0123456789eE".indexOf(text.charAt(at)) >= 0) at++;
            String literal = text.substring(start, at);
            if (!literal.matches("-?(0|[1-9][0-9]*)([.][0-9]+)?([eE][+-]?[0-9]{1,3})?")) throw invalid();
            return new BigDecimal(literal);
        }
    }

    // mutation: off
    public static void main(String[] arguments) throws IOException {
        System.setProperty("sun.net.httpserver.nodelay", "true");
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 128);
        server.setExecutor(Executors.newFixedThreadPool(16));
        server.createContext("/", Store::handle);
        server.start();
        System.out.println(server.getAddress().getPort());
    }
}

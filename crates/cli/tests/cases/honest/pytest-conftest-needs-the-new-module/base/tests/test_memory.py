def test_put_get(store):
    store.put("a", 1)
    assert store.get("a") == 1

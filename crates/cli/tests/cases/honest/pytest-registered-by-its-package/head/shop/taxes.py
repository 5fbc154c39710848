from shop.rules import rule


@rule
def tax(net, parts):
    return -(-net * 119 // 100 // parts) * parts

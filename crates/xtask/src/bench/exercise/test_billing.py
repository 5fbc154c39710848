import pytest

from shop import billing


@pytest.mark.parametrize(
    "quantity, price, total",
    [(1, 200, 200), (9, 200, 1800), (10, 200, 1900), (99, 200, 18810), (100, 200, 16000), (0, 200, 0)],
)
def test_discount(quantity, price, total):
    assert billing.discount(quantity, price) == total


def test_small_orders_pay_shipping():
    assert billing.shipping(1, False) == 502


def test_nothing_weighs_nothing():
    assert billing.shipping(0, False) == 0
    assert billing.shipping(0, True) == 0


def test_express_is_three_times_as_much():
    assert billing.shipping(100, True) == 2100


def test_shipping_has_an_upper_limit():
    assert billing.shipping(5000, False) == 9000
    assert billing.shipping(4249, False) == 8998


@pytest.mark.parametrize("net, rate, total", [(1000, 19, 1190), (1003, 7, 1073), (0, 19, 0), (50, 1, 51)])
def test_tax(net, rate, total):
    assert billing.taxed(net, rate) == total


def test_an_invoice_adds_up():
    bill = billing.invoice([(2, 100), (10, 100)], 10)
    assert bill == {"net": 1150, "count": "12 units", "total": 1265}


def test_empty_lines_do_not_count():
    bill = billing.invoice([(0, 100), (-1, 100), (1, 100)], 0)
    assert bill == {"net": 100, "count": "1 unit", "total": 100}


def test_an_empty_invoice():
    assert billing.invoice([], 19) == {"net": 0, "count": "0 units", "total": 0}


def test_no_reminder_in_the_first_days():
    assert billing.reminder(13, 100) is None


def test_no_reminder_for_nothing():
    assert billing.reminder(20, 0) is None


def test_a_first_reminder():
    assert billing.reminder(14, 100) == {"fee": 300, "owed": 400}


def test_reminders_grow():
    assert billing.reminder(31, 100) == {"fee": 600, "owed": 700}
    assert billing.reminder(61, 100) == {"fee": 900, "owed": 1000}


def test_a_reference_has_a_check_digit():
    assert billing.reference(42, 2026) == "26-00042-0"


def test_a_reference_of_another_year():
    assert billing.reference(12345, 1999) == "99-12345-5"

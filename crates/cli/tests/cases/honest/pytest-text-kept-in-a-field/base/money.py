from dataclasses import dataclass, field


@dataclass
class Money:
    amount: int
    currency: str
    _text: str = field(default=None, compare=False, repr=False)

    def text(self):
        if self._text is None:
            self._text = f"{self.amount} {self.currency}"
        return self._text

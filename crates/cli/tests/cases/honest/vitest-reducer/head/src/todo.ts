export interface Todo {
  id: number;
  text: string;
  done: boolean;
}

export type Action =
  | { type: 'add'; text: string }
  | { type: 'toggle'; id: number }
  | { type: 'remove'; id: number };

export function reduce(todos: Todo[], action: Action): Todo[] {
  switch (action.type) {
    case 'add': {
      const id = Math.max(0, ...todos.map((todo) => todo.id)) + 1;
      return [...todos, { id, text: action.text, done: false }];
    }
    case 'toggle':
      return todos.map((todo) => (todo.id === action.id ? { ...todo, done: !todo.done } : todo));
    case 'remove':
      return todos.filter((todo) => todo.id !== action.id);
    default:
      return todos;
  }
}

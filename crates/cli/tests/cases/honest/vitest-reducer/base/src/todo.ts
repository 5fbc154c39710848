export interface Todo {
  id: number;
  text: string;
  done: boolean;
}

export type Action = { type: 'add'; text: string };

export function reduce(todos: Todo[], action: Action): Todo[] {
  switch (action.type) {
    case 'add':
      return [...todos, { id: todos.length + 1, text: action.text, done: false }];
    default:
      return todos;
  }
}

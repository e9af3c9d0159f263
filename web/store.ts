import { useSyncExternalStore } from 'react'

/** Outside of React, so that any number of views and functions share it. */
export interface Store<State> {
  get(): State
  set(next: State): void
  /** The state must be an object. Does nothing if all fields have these values already. */
  patch(change: Partial<State>): void
  /** After every change. Returns a function that removes the listener. */
  subscribe(listener: () => void): () => void
}

export function createStore<State>(initial: State): Store<State> {
  let state = initial
  const listeners = new Set<() => void>()
  const set = (next: State) => {
    if (Object.is(next, state)) return
    state = next
    for (const listener of listeners) listener()
  }
  return {
    get: () => state,
    set,
    patch(change) {
      const next = { ...state, ...change }
      if ((Object.keys(change) as (keyof State)[]).some((key) => next[key] !== state[key])) set(next)
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
  }
}

/** `select` must return the same object while nothing has changed, so it must not create new ones. */
export function useStore<State>(store: Store<State>): State
export function useStore<State, Part>(store: Store<State>, select: (state: State) => Part): Part
export function useStore<State>(store: Store<State>, select: (state: State) => unknown = (state) => state) {
  return useSyncExternalStore(store.subscribe, () => select(store.get()))
}

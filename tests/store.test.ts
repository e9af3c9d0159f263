import { expect, test, vi } from 'vitest'
import { createStore } from '#web/store.ts'

test('a store calls its listeners for every change, and only for changes', () => {
  const store = createStore({ name: 'Ann', count: 1 })
  const listener = vi.fn(() => store.get())
  const stop = store.subscribe(listener)
  store.patch({ count: 2 })
  expect(listener).toHaveReturnedWith({ name: 'Ann', count: 2 })
  store.set(store.get())
  expect(listener).toHaveBeenCalledOnce()
  stop()
  store.patch({ count: 3 })
  expect(listener).toHaveBeenCalledOnce()
  expect(store.get()).toEqual({ name: 'Ann', count: 3 })
})

test('a change creates a new state object: views compare the objects', () => {
  const store = createStore({ count: 1 })
  const before = store.get()
  store.patch({ count: 2 })
  expect(before).toEqual({ count: 1 })
  expect(store.get()).not.toBe(before)
})

test('a listener that unsubscribes during a call does not affect the others', () => {
  const store = createStore(0)
  const stopFirst = store.subscribe(() => stopFirst())
  const second = vi.fn()
  store.subscribe(second)
  store.set(1)
  store.set(2)
  expect(second).toHaveBeenCalledTimes(2)
})

test('unknown fields do not compile', () => {
  const store = createStore({ count: 1 })
  // @ts-expect-error: the state has no field of this name
  store.patch({ cuont: 2 })
  // @ts-expect-error: `set` takes the whole state
  store.set({})
})

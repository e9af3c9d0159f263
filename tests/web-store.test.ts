import { expect, test, vi } from 'vitest'
import { createStore } from '#web/store.ts'

test('a store calls its listeners only when a field has another value', () => {
  const names = ['Aya']
  const store = createStore({ names, count: 1 })
  const listener = vi.fn()
  const stop = store.subscribe(listener)
  const before = store.get()
  store.patch({ names, count: 1 })
  expect(listener).not.toHaveBeenCalled()
  expect(store.get()).toBe(before)
  store.patch({ names, count: 2 })
  expect(listener).toHaveBeenCalledTimes(1)
  expect(store.get()).toEqual({ names, count: 2 })
  stop()
  store.patch({ count: 3 })
  expect(listener).toHaveBeenCalledTimes(1)
  expect(store.get().count).toBe(3)
})

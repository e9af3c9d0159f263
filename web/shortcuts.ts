import { useEffect, useRef } from 'react'
import { readLocal, writeLocal } from '#web/local-storage.ts'
import { createStore, useStore } from '#web/store.ts'
import { pressed } from './keyboard.ts'

export interface Shortcut {
  /** Alternatives, as in `KeyboardEvent.key`: `n` or `?`; `g h` means two keys in a row. */
  keys: readonly string[]
  description: string
  /** Absent if the focused element handles the key itself. */
  run?: () => void
}
interface ShortcutGroup {
  title: string
  shortcuts: readonly Shortcut[]
}

/** Milliseconds between the two keys of `g h`. */
const SEQUENCE_TIME = 1500
const DISABLED_KEY = 'engawa:no-keys'
const groups = new Set<{ current: ShortcutGroup }>()
let previous: { key: string; at: number } | null = null

/** People who use speech input can turn them off, because most are single letters (WCAG 2.1.4). */
export const areShortcutsOn = () => readLocal(DISABLED_KEY) === null
export const setShortcutsOn = (on: boolean) => writeLocal(DISABLED_KEY, on ? '' : '1')

const isTyping = ({ target }: KeyboardEvent) =>
  target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable="true"]')
const isDialogOpen = () => document.querySelector('dialog[open], .menu:popover-open') !== null

const find = (pressed: string) =>
  [...groups]
    .toReversed()
    .flatMap(({ current }) => current.shortcuts)
    .find(({ keys, run }) => run && keys.includes(pressed))

document.addEventListener('keydown', (event) => {
  const { defaultPrevented, ctrlKey, metaKey, altKey, repeat } = event
  const key = pressed(event)
  if (
    defaultPrevented ||
    ctrlKey ||
    metaKey ||
    altKey ||
    !key ||
    isTyping(event) ||
    isDialogOpen() ||
    !areShortcutsOn()
  )
    return
  const before = previous && Date.now() - previous.at < SEQUENCE_TIME ? previous.key : null
  previous = repeat ? null : { key, at: Date.now() }
  const found = (before && find(`${before} ${key}`)) || find(key)
  if (!found || (repeat && !/^[jk]$/.test(key))) return
  // Links and buttons handle Enter themselves.
  if (key === 'Enter' && !(event.target as Element).matches('article')) return
  event.preventDefault()
  previous = null
  found.run?.()
})

/** While the component is mounted, no text field has the focus, and no dialog or menu is open. */
export function useShortcuts(title: string, shortcuts: readonly Shortcut[]) {
  const group = useRef<ShortcutGroup>({ title, shortcuts })
  useEffect(() => {
    group.current = { title, shortcuts }
  })
  useEffect(() => {
    groups.add(group)
    // Its code may have come after the list was opened.
    if (help.get()) openHelp()
    return () => {
      groups.delete(group)
    }
  }, [])
}

const help = createStore<readonly ShortcutGroup[] | null>(null)

export const openHelp = () => help.set([...groups].map(({ current }) => current))
export const closeHelp = () => help.set(null)
/** Null while the list is closed. */
export const useOpenHelp = () => useStore(help)

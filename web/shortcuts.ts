import { useEffect, useRef } from 'react'
import { readLocal, writeLocal } from '#web/local-storage.ts'
import { createStore, useStore } from '#web/store.ts'

export interface Shortcut {
  /** As in `KeyboardEvent.key`: `n`, `?`, or `g h` for two in a row. Any of the entries works. */
  keys: readonly string[]
  /** Describes the shortcut in the list of shortcuts. */
  does: string
  /** Absent where the pressed element handles the key itself: then the entry is only listed. */
  run?: () => void
}
interface Group {
  title: string
  keys: readonly Shortcut[]
}

/** Two keys belong together when the second follows within so many milliseconds. */
const SEQUENCE_TIME = 1500
const DISABLED_KEY = 'engawa:no-keys'
const groups = new Set<{ current: Group }>()
let previous: { key: string; at: number } | null = null

/** Whether single letters are shortcuts. People who use speech input can turn them off (WCAG 2.1.4). */
export const shortcutsEnabled = () => readLocal(DISABLED_KEY) === null
export const setShortcutsEnabled = (on: boolean) => writeLocal(DISABLED_KEY, on ? '' : '1')

const isTyping = ({ target }: KeyboardEvent) =>
  target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable="true"]')
const isDialogOpen = () => document.querySelector('dialog[open], .menu:popover-open') !== null

const find = (pressed: string) =>
  [...groups]
    .toReversed()
    .flatMap(({ current }) => current.keys)
    .find(({ keys, run }) => run && keys.includes(pressed))

document.addEventListener('keydown', (event) => {
  const { key, defaultPrevented, ctrlKey, metaKey, altKey, isComposing, repeat } = event
  if (
    defaultPrevented ||
    ctrlKey ||
    metaKey ||
    altKey ||
    isComposing ||
    isTyping(event) ||
    isDialogOpen() ||
    !shortcutsEnabled()
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

/**
 * Registers shortcuts while the calling component is mounted.
 * They work while no text field has the focus and no dialog or menu is open.
 */
export function useShortcuts(title: string, keys: readonly Shortcut[]) {
  const group = useRef<Group>({ title, keys })
  useEffect(() => {
    group.current = { title, keys }
  })
  useEffect(() => {
    groups.add(group)
    return () => {
      groups.delete(group)
    }
  }, [])
}

// ── The list of shortcuts ───────────────────────────────────────────────────

const help = createStore<readonly Group[] | null>(null)

export const openShortcutsHelp = () => help.set([...groups].map(({ current }) => current))
export const closeShortcutsHelp = () => help.set(null)
/** The shortcuts of this page while the dialog is open, else null. */
export const useShortcutsHelp = () => useStore(help)

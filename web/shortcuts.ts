import { useEffect, useRef } from 'react'
import { readLocalStorage, writeLocalStorage } from '#web/local-storage.ts'
import { createStore, useStore } from '#web/store.ts'

export interface KeyboardShortcut {
  /**
   * The keys of the shortcut; each entry is an alternative. Values are those of `KeyboardEvent.key`, such as
   * `n` or `?`; `g h` means two keys in a row.
   */
  keys: readonly string[]
  /** The description of the shortcut in the list of shortcuts. */
  description: string
  /**
   * Runs when the user presses the keys. Absent if the focused element handles the key itself, and the
   * shortcut is only in the list of shortcuts.
   */
  run?: () => void
}
interface ShortcutGroup {
  title: string
  shortcuts: readonly KeyboardShortcut[]
}

/** The maximum number of milliseconds between the two keys of a sequence such as `g h`. */
const SEQUENCE_TIME = 1500
const DISABLED_KEY = 'engawa:no-keys'
const groups = new Set<{ current: ShortcutGroup }>()
let previous: { key: string; at: number } | null = null

/**
 * Returns whether the keyboard shortcuts are turned on. People who use speech input can turn them off,
 * because most shortcuts are single letters (WCAG 2.1.4).
 */
export const areShortcutsEnabled = () => readLocalStorage(DISABLED_KEY) === null
export const setShortcutsEnabled = (on: boolean) => writeLocalStorage(DISABLED_KEY, on ? '' : '1')

const isTyping = ({ target }: KeyboardEvent) =>
  target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable="true"]')
const isDialogOpen = () => document.querySelector('dialog[open], .menu:popover-open') !== null

const find = (pressed: string) =>
  [...groups]
    .toReversed()
    .flatMap(({ current }) => current.shortcuts)
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
    !areShortcutsEnabled()
  )
    return
  const before = previous && Date.now() - previous.at < SEQUENCE_TIME ? previous.key : null
  previous = repeat ? null : { key, at: Date.now() }
  const found = (before && find(`${before} ${key}`)) || find(key)
  if (!found || (repeat && !/^[jk]$/.test(key))) return
  // Runs no shortcut for Enter on links and buttons, because they handle the key themselves.
  if (key === 'Enter' && !(event.target as Element).matches('article')) return
  event.preventDefault()
  previous = null
  found.run?.()
})

/**
 * Registers keyboard shortcuts while the calling component is mounted. They work while no text field has the
 * focus and no dialog or menu is open.
 */
export function useKeyboardShortcuts(title: string, shortcuts: readonly KeyboardShortcut[]) {
  const group = useRef<ShortcutGroup>({ title, shortcuts })
  useEffect(() => {
    group.current = { title, shortcuts }
  })
  useEffect(() => {
    groups.add(group)
    return () => {
      groups.delete(group)
    }
  }, [])
}

// ── The dialog with the list of shortcuts ──────────────────────────────────

const help = createStore<readonly ShortcutGroup[] | null>(null)

export const openShortcutsHelp = () => help.set([...groups].map(({ current }) => current))
export const closeShortcutsHelp = () => help.set(null)
/**
 * Returns the groups of keyboard shortcuts of this page while the list of shortcuts is open, or else null.
 */
export const useShortcutGroupsOfOpenHelp = () => useStore(help)

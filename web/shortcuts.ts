import { useEffect, useRef, useSyncExternalStore } from 'react'
import { useExplain } from '#web/errors.ts'
import { toast } from '#web/ui/Toasts.tsx'

export interface Shortcut {
  /** As `KeyboardEvent.key` has it: `n`, `?`, and `g h` for two in a row; several ways are several entries of the list. */
  keys: readonly string[]
  /** What it does, for the legend. */
  does: string
  /** Nothing where the key is looked after where it is pressed, and only told of here. */
  run?: () => void
}
interface Group {
  title: string
  keys: readonly Shortcut[]
}

const IN_A_ROW = 1500
const OFF = 'engawa:no-keys'
const groups = new Set<{ current: Group }>()
let first: { key: string; at: number } | null = null

/** Whether single letters do something: whoever speaks to the machine can turn that off (WCAG 2.1.4). */
export const shortcutsEnabled = () => {
  try {
    return localStorage.getItem(OFF) === null
  } catch {
    return true
  }
}
export function setShortcutsEnabled(on: boolean) {
  try {
    if (on) localStorage.removeItem(OFF)
    else localStorage.setItem(OFF, '1')
  } catch {
    // Then they are on again after the next load.
  }
}

const isTyping = ({ target }: KeyboardEvent) =>
  target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable="true"]')
const isCovered = () => document.querySelector('dialog[open], .menu:popover-open') !== null

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
    isCovered() ||
    !shortcutsEnabled()
  )
    return
  const before = first && Date.now() - first.at < IN_A_ROW ? first.key : null
  first = repeat ? null : { key, at: Date.now() }
  const found = (before && find(`${before} ${key}`)) || find(key)
  if (!found || (repeat && !/^[jk]$/.test(key))) return
  // Enter is for the thing that has the focus, and links and buttons have their own.
  if (key === 'Enter' && !(event.target as Element).matches('article')) return
  event.preventDefault()
  first = null
  found.run?.()
})

/** What keys do while this is shown, and wherever nothing is being typed or lies above the page. */
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

// ── The legend ──────────────────────────────────────────────────────────────

let legend: readonly Group[] | null = null
const listeners = new Set<() => void>()
function put(next: readonly Group[] | null) {
  legend = next
  for (const told of listeners) told()
}
const subscribe = (told: () => void) => {
  listeners.add(told)
  return () => listeners.delete(told)
}

/** Loaded before it is drawn, so that a failure costs a word and not the legend. */
export function useOpenShortcutsHelp() {
  const explain = useExplain()
  return () =>
    import('#web/ShortcutsHelp.tsx').then(
      () => put([...groups].map(({ current }) => current)),
      (error: unknown) => toast(explain(error), { kind: 'bad' }),
    )
}
export const closeShortcutsHelp = () => put(null)
/** What works on this page, while somebody looks at it. */
export const useShortcutsHelp = () => useSyncExternalStore(subscribe, () => legend)

import { useEffect } from 'react'

const posts = () => [...document.querySelectorAll<HTMLElement>('article[data-post]')]
const current = () => document.activeElement?.closest<HTMLElement>('article[data-post]') ?? null

/** With no post chosen yet, the first one in sight comes next. */
function step(by: 1 | -1) {
  const all = posts()
  const at = current()
  const next = at ? all[all.indexOf(at) + by] : all.find((post) => post.getBoundingClientRect().bottom > 80)
  next?.focus({ preventScroll: true })
  next?.scrollIntoView({ block: 'start' })
}

const press = (what: string) => current()?.querySelector<HTMLElement>(what)?.click()

const actions: Record<string, () => void> = {
  j: () => step(1),
  k: () => step(-1),
  f: () => press('.like'),
  l: () => press('.like'),
  o: () => press('.pane'),
}

const isTyping = (event: KeyboardEvent) =>
  event.isComposing || (event.target instanceof HTMLElement && event.target.matches('input, textarea, select, [contenteditable="true"]'))

/** j and k go from post to post, f or l likes, o or Enter opens the first picture. */
export function usePostKeys() {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return
      if (document.querySelector('dialog[open]')) return
      if (event.key === 'Enter' && document.activeElement === current()) press('.pane')
      else actions[event.key]?.()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}

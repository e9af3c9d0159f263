import { useText } from '#web/i18n.ts'
import { useShortcuts } from '#web/shortcuts.ts'
import { postsText } from './text.ts'

const posts = () => [...document.querySelectorAll<HTMLElement>('article[data-post]')]
const focused = () => document.activeElement?.closest<HTMLElement>('article[data-post]') ?? null

/** Moves the focus to the next or previous post; at first, to the first visible post. */
function step(by: 1 | -1) {
  const all = posts()
  const at = focused()
  const next = at ? all[all.indexOf(at) + by] : all.find((post) => post.getBoundingClientRect().bottom > 80)
  next?.focus({ preventScroll: true })
  next?.scrollIntoView({ block: 'start' })
}

/** Clicks a button or link of the focused post, or of the only post of the page. */
const press = (what: string) => () => {
  const all = posts()
  const post = focused() ?? (all.length === 1 ? all[0] : null)
  post?.querySelector<HTMLElement>(what)?.click()
}

/** Keyboard shortcuts that move between posts and act on the focused one. */
export function usePostShortcuts() {
  const t = useText(postsText)
  useShortcuts(t.keysOfPosts, [
    { keys: ['j'], does: t.keyNext, run: () => step(1) },
    { keys: ['k'], does: t.keyBefore, run: () => step(-1) },
    { keys: ['f', 'l'], does: t.like, run: press('.like') },
    { keys: ['o', 'Enter'], does: t.keyOpen, run: press('.when a') },
    { keys: ['e'], does: t.keyPictures, run: press('.picture') },
    { keys: ['p'], does: t.keyAuthor, run: press('a.name') },
  ])
}

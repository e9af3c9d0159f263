import { navigate } from 'wouter/use-browser-location'
import { useText } from '#web/i18n.ts'
import { useShortcuts } from '#web/shortcuts.ts'
import { postsText } from './text.ts'

const posts = () => [...document.querySelectorAll<HTMLElement>('article[data-post]')]
const focused = () => document.activeElement?.closest<HTMLElement>('article[data-post]') ?? null

/** Without a focused post, focuses the first visible one. */
function focusPost(by: 1 | -1) {
  const all = posts()
  const current = focused()
  const next = current
    ? all[all.indexOf(current) + by]
    : all.find((post) => post.getBoundingClientRect().bottom > 80)
  next?.focus({ preventScroll: true })
  next?.scrollIntoView({ block: 'start' })
}

/** In the focused post, or in the only post on the page. */
const clickInPost = (selector: string) => () => {
  const all = posts()
  const post = focused() ?? (all.length === 1 ? all[0] : null)
  post?.querySelector<HTMLElement>(selector)?.click()
}

/**
 * Answers the focused reply. Without one, focuses the form for replies on the page of a post, or opens the
 * page of the focused post with the focus in this form (features/replies/web/ReplyComposer.tsx).
 */
function replyToFocused() {
  const answer = document.activeElement?.closest('article[data-reply]')?.querySelector<HTMLElement>('.answer')
  const form = document.querySelector<HTMLElement>('.reply-composer textarea')
  const post = focused()?.dataset.post
  if (answer) answer.click()
  else if (form) form.focus()
  else if (post) navigate(`/posts/${post}#reply`)
}

export default function Shortcuts() {
  const t = useText(postsText)
  useShortcuts(t.shortcutsTitle, [
    { keys: ['j'], description: t.keyNext, run: () => focusPost(1) },
    { keys: ['k'], description: t.keyPrevious, run: () => focusPost(-1) },
    { keys: ['f', 'l'], description: t.like, run: clickInPost('.like') },
    { keys: ['r'], description: t.keyReply, run: replyToFocused },
    { keys: ['o', 'Enter'], description: t.keyOpen, run: clickInPost('.post-time a') },
    { keys: ['e'], description: t.keyPictures, run: clickInPost('.picture') },
    { keys: ['p'], description: t.keyAuthor, run: clickInPost('a.name') },
  ])
  return null
}

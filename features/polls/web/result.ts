import { navigate } from 'wouter/use-browser-location'
import type { Language } from '#core/contract.ts'
import { type AudienceChoice, groupIdOf } from '#features/posts/web/audience-choice.ts'
import { beginPost } from '#features/posts/web/draft-keys.ts'
import { useMayTell } from '#features/posts/web/may-tell.ts'
import * as posts from '#features/posts/web/post-store.ts'
import type { ContentInfo } from '#web/AddedContentParts.tsx'
import { useLang, useText } from '#web/i18n.ts'
import { useStore } from '#web/store.ts'
import { showToast } from '#web/ui/Toasts.tsx'
import { answerKinds, type Poll } from '../contract.ts'
import { dateLabel } from './date-label.ts'
import { pollText } from './text.ts'

const BEST = 3

type Texts = (typeof pollText)['en']

/** What most chose, one line for each; null while the numbers are not shown. */
function resultOf({ kind, options, guests_count }: Poll, t: Texts, lang: Language) {
  if (guests_count === null || options.some(({ counts }) => counts === null)) return null
  if (kind === 'attendance') {
    const counts = options[0]!.counts!
    const said = answerKinds.map((answer) => `${t[answer]}: ${counts[answer]}`)
    return [...said, ...(guests_count ? [t.guests(guests_count)] : [])].join(' / ')
  }
  return options
    .toSorted((a, b) => b.counts!.yes - a.counts!.yes || b.counts!.maybe - a.counts!.maybe)
    .filter(({ counts }) => counts!.yes > 0)
    .slice(0, BEST)
    .map((option) => `- ${option.text ?? dateLabel(option, lang)}: ${t.people(option.counts!.yes)}`)
    .join('\n')
}

/** Everybody who sees a post; members of a group. */
export function useAudienceOf({ kind, id, channel }: ContentInfo): AudienceChoice | null {
  const post = useStore(posts.state, (state) => (kind === 'post' ? state.posts.get(id) : undefined))
  if (kind === 'message') {
    const group = /^private-group-chat\.(\d+)$/.exec(channel)?.[1]
    return group === undefined ? null : `group ${Number(group)}`
  }
  if (!post) return null
  return post.group_id === undefined
    ? ((post.audience ?? 'everyone') as AudienceChoice)
    : `group ${post.group_id}`
}

/** Whether who asks may remind those who have not answered: everybody only with the right to tell everybody. */
export function useMayRemind(content: ContentInfo) {
  const audience = useAudienceOf(content)
  const mayTell = useMayTell(null, false)
  return audience !== null && (groupIdOf(audience) !== null || mayTell)
}

/** Begins a post that tells everybody who was asked. Null without a result, and without the right. */
export function useAnnouncing(poll: Poll, content: ContentInfo, me: number | undefined) {
  const t = useText(pollText)
  const lang = useLang()
  const audience = useAudienceOf(content)
  const isOwn = me !== undefined && poll.user_id === me
  const mayTell = useMayTell(audience && groupIdOf(audience), isOwn)
  const result = poll.ended_at === null ? null : resultOf(poll, t, lang)
  if (!audience || !isOwn || !mayTell || !result) return null
  return () => {
    const path = content.kind === 'post' ? `/posts/${content.id}` : `/group-chat/${groupIdOf(audience)}`
    const text = `${t.result(t.poll[poll.kind])}\n${result}\n${location.origin}${path}`
    if (!beginPost(me, { text, extras: { tell: {} }, audience })) showToast(t.draftFirst)
    navigate('/post')
  }
}

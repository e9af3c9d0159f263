import './events.css'
import { CalendarPlus } from 'lucide-react'
import { navigate } from 'wouter/use-browser-location'
import type { Poll } from '#features/polls/contract.ts'
import { pollStore } from '#features/polls/web/poll-store.ts'
import { useAudienceOf } from '#features/polls/web/result.ts'
import { beginPost } from '#features/posts/web/draft-keys.ts'
import * as posts from '#features/posts/web/post-store.ts'
import type { ContentInfo } from '#web/AddedContentParts.tsx'
import { contentKey } from '#web/content-loader.ts'
import { useText } from '#web/i18n.ts'
import { useStore } from '#web/store.ts'
import { Button } from '#web/ui/Button.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { MAX_TITLE } from '../contract.ts'
import { calendarText } from './calendar-text.ts'
import { startingValue } from './starting-value.ts'
import { eventText } from './text.ts'

/** Under a poll about days, for who asked: the day that suits most becomes an event. */
export default function FromPoll({ content, me }: { content: ContentInfo; me: number }) {
  const t = useText(eventText)
  const calendar = useText(calendarText)
  const poll = useStore(pollStore, ({ shown }) => shown.get(contentKey(content.kind, content.id)))
  const audience = useAudienceOf(content)
  const question = useStore(posts.state, ({ posts: all }) =>
    content.kind === 'post' ? all.get(content.id)?.body : undefined,
  )
  const best = poll?.kind === 'dates' && poll.user_id === me ? bestOf(poll) : undefined
  if (!best || !audience) return null
  const make = () => {
    const title = (question ?? '').split('\n', 1)[0]!.slice(0, MAX_TITLE)
    const event = { ...startingValue(), ...timesOf(best), title }
    if (!beginPost(me, { text: '', extras: { event }, audience })) showToast(calendar.draftFirst)
    navigate('/post')
  }
  return (
    <p className="event-from-poll">
      <Button small icon={CalendarPlus} onClick={make}>
        {t.fromPoll}
      </Button>
    </p>
  )
}

type Option = Poll['options'][number]

/** Undefined while nobody has said yes or perhaps. */
const bestOf = ({ options }: Poll): Option | undefined =>
  options
    .filter(({ counts }) => counts && counts.yes + counts.maybe > 0)
    .toSorted((a, b) => b.counts!.yes - a.counts!.yes || b.counts!.maybe - a.counts!.maybe)[0]

/** Two hours, or the whole day. */
function timesOf({ day, time }: Option) {
  if (time === null) return { begins: day!, ends: day! }
  const end = new Date(`${day}T${time}Z`)
  end.setUTCHours(end.getUTCHours() + 2)
  return { begins: `${day}T${time}`, ends: end.toISOString().slice(0, 16) }
}

import './events.css'
import { useId } from 'react'
import * as posts from '#features/posts/web/post-store.ts'
import { detectLanguage, useText } from '#web/i18n.ts'
import { useMe } from '#web/me.ts'
import { useStore } from '#web/store.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import type { EventDate, PostEvent } from '../contract.ts'
import { Answers } from './Answers.tsx'
import { Facts } from './Facts.tsx'
import { eventText } from './text.ts'

interface Props {
  event: PostEvent
  onChange: (date: EventDate) => void
}

/** Below the post that invites: its next date. */
export default function EventCard({ event: { date, upcoming }, onChange }: Props) {
  const t = useText(eventText)
  const titleId = useId()
  const isMember = useMe() !== null
  // A post without a text of its own has the title in its place.
  const isTitleInText = useStore(posts.state, ({ posts: all }) => all.get(date.post_id)?.body) === date.title
  return (
    <section className="event" aria-labelledby={titleId}>
      <h3 id={titleId} className={isTitleInText ? 'visually-hidden' : undefined}>
        <UserText lang={detectLanguage(date.title)}>{date.title}</UserText>
      </h3>
      <State date={date} />
      <Facts date={date} />
      {isMember && canAnswer(date) && <Answers date={date} onChange={onChange} />}
      <p className="event-links">
        <ButtonLink small href={`/events/${date.id}`} aria-describedby={titleId}>
          {upcoming > 1 ? t.dates(upcoming) : t.details}
        </ButtonLink>
      </p>
    </section>
  )
}

export const canAnswer = ({ cancelled_at, begins_at }: EventDate) =>
  cancelled_at === null && Date.parse(begins_at) > Date.now()

/** Cancelled or over; nothing for others. */
export function State({ date: { cancelled_at, ends_at } }: { date: EventDate }) {
  const t = useText(eventText)
  if (cancelled_at !== null) return <span className="event-state cancelled">{t.cancelled}</span>
  return Date.parse(ends_at) <= Date.now() ? <span className="event-state">{t.over}</span> : null
}

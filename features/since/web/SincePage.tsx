import './since.css'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { fillChannel } from '#core/contract.ts'
import { chatChannels } from '#features/conversations/contract.ts'
import { callEndpoint } from '#web/api.ts'
import * as dates from '#web/dates.ts'
import { detectLanguage, useLang, useText } from '#web/i18n.ts'
import { LoadErrorMessage, LogInPrompt } from '#web/LoadErrorMessage.tsx'
import { useMe } from '#web/me.ts'
import { findAnswer, forgetAnswers, pageData } from '#web/page-data.ts'
import { useListener } from '#web/realtime.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { Link } from '#web/ui/Link.tsx'
import { RowSkeletons } from '#web/ui/LoadingText.tsx'
import { PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import { UnreadBadge } from '#web/ui/UnreadBadge.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import { CHANGED_EVENT, type News, type NewsEntry, type NewsSection, sinceEndpoints } from '../contract.ts'
import { sinceText } from './text.ts'

/** All that is new since the last visit, with an end. */
export default function SincePage() {
  const t = useText(sinceText)
  const me = useMe()
  return (
    <PageLayout kind="inset">
      <PageHeader title={t.title} />
      {me ? <Everything me={me.id} /> : <LogInPrompt />}
    </PageLayout>
  )
}

const queryKey = [sinceEndpoints.news.path]

function useNews(me: number) {
  const [first] = useState(() => findAnswer(sinceEndpoints.news)?.body as News | undefined)
  const query = useQuery({
    queryKey,
    queryFn: () => callEndpoint(sinceEndpoints.news, {}),
    // What came with the HTML page is out of date at the next visit.
    ...(first && { initialData: first, staleTime: 30_000 }),
    gcTime: 0,
  })
  const { data, refetch } = query
  const reload = () => {
    forgetAnswers()
    void refetch()
  }
  const hasChannel = pageData.app.features.includes('conversations')
  useListener(hasChannel ? fillChannel(chatChannels.member, { user: me }) : null, {
    // Another device may have marked all as seen before. What is merely newer waits: nothing moves.
    onSubscribed: () =>
      callEndpoint(sinceEndpoints.away, {}).then(
        ({ since }) => data && since > data.since && reload(),
        () => {},
      ),
    events: { [CHANGED_EVENT]: reload },
  })
  return query
}

function Everything({ me }: { me: number }) {
  const t = useText(sinceText)
  const lang = useLang()
  const { data, error, isFetching, refetch } = useNews(me)
  if (!data && error) return <LoadErrorMessage error={error} pending={isFetching} onRetry={() => refetch()} />
  if (!data) return <RowSkeletons count={5} />
  const { sections, since } = data
  if (!sections.length)
    return (
      <EmptyState title={t.nothing} help={t.nothingHelp}>
        <ButtonLink kind="primary" href="/">
          {t.home}
        </ButtonLink>
      </EmptyState>
    )
  return (
    <>
      <p className="text-soft since-when">{t.since(dates.weekday(since, lang))}</p>
      {sections.map((section) => (
        <Part key={section.part} section={section} />
      ))}
      <End news={data} />
    </>
  )
}

function Part({ section: { part, entries, more, path } }: { section: NewsSection }) {
  const t = useText(sinceText)
  return (
    <section className="since-part" aria-labelledby={`since-${part}`}>
      <h2 id={`since-${part}`}>{t.parts[part]}</h2>
      <ul className="cards flush">
        {entries.map((entry) => (
          <li key={entry.key}>
            <Row entry={entry} />
          </li>
        ))}
      </ul>
      {path !== null && (
        <p>
          <Link className="link" href={path}>
            {t.more(more)}
          </Link>
        </p>
      )}
    </section>
  )
}

function Row({ entry: { path, avatar, title, text, at, count = 0 } }: { entry: NewsEntry }) {
  return (
    <Link className="row" href={path}>
      <Avatar person={avatar} group={avatar?.is_group === true} />
      <span className="text">
        <span className="title" dir="auto">
          <UserText>{title}</UserText>
        </span>
        {text !== null && (
          <span className="line" dir="auto" lang={detectLanguage(text)}>
            {text}
          </span>
        )}
        <span className="text-meta">
          <RelativeTime at={at} />
        </span>
      </span>
      <UnreadBadge count={count} />
    </Link>
  )
}

function End({ news: { sections, until } }: { news: News }) {
  const t = useText(sinceText)
  const queries = useQueryClient()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => callEndpoint(sinceEndpoints.done, { until }),
    onSuccess: async () => {
      forgetAnswers()
      await queries.refetchQueries({ queryKey })
      document.querySelector<HTMLElement>('#main h1')?.focus()
      scrollTo({ top: 0 })
    },
  })
  const isOnlyAsked = sections.every(({ part }) => part === 'asked')
  return (
    <section className="since-end">
      <h2>{t.end}</h2>
      <p className="text-soft">{isOnlyAsked ? t.onlyAsked : t.endHelp}</p>
      {error && <LoadErrorMessage error={error} pending={isPending} onRetry={() => mutate()} plain />}
      <p className="cluster">
        {!isOnlyAsked && (
          <Button kind="primary" pending={isPending} onClick={() => mutate()}>
            {t.done}
          </Button>
        )}
        <ButtonLink href="/">{t.home}</ButtonLink>
      </p>
    </section>
  )
}

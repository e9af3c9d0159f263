import '#features/people/web/people.css'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { fillPath } from '#core/contract.ts'
import { profilePath } from '#features/people/contract.ts'
import { SharedHandle } from '#features/people/web/SharedHandle.tsx'
import { fetchPage } from '#web/api.ts'
import * as dates from '#web/dates.ts'
import { useLang, useText } from '#web/i18n.ts'
import { LoadErrorMessage } from '#web/LoadErrorMessage.tsx'
import { useMe } from '#web/me.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Link } from '#web/ui/Link.tsx'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import { answerKinds, type Poll, pollEndpoints, type Voter } from '../contract.ts'
import { dateLabel } from './date-label.ts'
import { pollText } from './text.ts'

interface Props {
  poll: Poll
  list: 'voters' | 'missing'
  /** When those who are missing were reminded last. */
  reminded: string | undefined
  /** Undefined if nobody can be reminded. */
  onRemind: (() => void) | undefined
  onClose: () => void
}

/** Who chose one of the options, or, for the author, who has not answered. */
export default function VotersDialog({ poll, list, reminded, onRemind, onClose }: Props) {
  const t = useText(pollText)
  const lang = useLang()
  const me = useMe()
  const choices = useChoices(poll)
  const [at, setAt] = useState(0)
  const chosen = choices[at]
  const { data, error, isFetching, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } =
    useInfiniteQuery({
      queryKey: [pollEndpoints[list].path, poll.id, list === 'voters' && chosen?.key],
      queryFn: ({ pageParam }) => fetchVoters(poll.id, list, chosen, pageParam),
      initialPageParam: null as string | null,
      getNextPageParam: (last) => last.next,
      staleTime: 0,
    })
  const rows = data?.pages.flatMap((page) => page.rows)
  const title = list === 'missing' ? t.missing : poll.kind === 'choice' ? t.whoVoted : t.whoAnswered
  return (
    <Dialog open title={title} onClose={onClose} className="people-list">
      {list === 'voters' && (
        <select
          className="input"
          aria-label={title}
          value={at}
          onChange={(e) => setAt(Number(e.target.value))}
        >
          {choices.map(({ key, label }, index) => (
            <option key={key} value={index}>
              {label}
            </option>
          ))}
        </select>
      )}
      {!data && !error && <LoadingText />}
      {!data && error && (
        <LoadErrorMessage plain error={error} pending={isFetching} onRetry={() => refetch()} />
      )}
      <ul>
        {rows?.map((voter) => (
          <VoterRow key={voter.user.id} voter={voter} onClose={onClose} />
        ))}
      </ul>
      {list === 'missing' && rows?.length === 0 && <p className="text-meta">{t.nobodyMissing}</p>}
      {list === 'missing' && reminded && (
        <p className="text-meta">{t.remindedAt(dates.dayAndClock(reminded, lang))}</p>
      )}
      <div className="dialog-actions">
        {me?.id === poll.user_id && (
          <a className="button secondary" href={fillPath(pollEndpoints.file.path, { id: poll.id })} download>
            {t.download}
          </a>
        )}
        {hasNextPage && (
          <Button pending={isFetchingNextPage} onClick={() => fetchNextPage()}>
            {t.loadMore}
          </Button>
        )}
        {onRemind && list === 'missing' && rows && rows.length > 0 && (
          <Button onClick={onRemind}>{t.remind}</Button>
        )}
        <Button onClick={onClose}>{t.close}</Button>
      </div>
    </Dialog>
  )
}

function VoterRow({
  voter: { user, note, guests, by_guardian },
  onClose,
}: {
  voter: Voter
  onClose: () => void
}) {
  const t = useText(pollText)
  const said = [
    ...(guests ? [t.guests(guests)] : []),
    ...(by_guardian ? [t.byGuardian] : []),
    ...(note === null ? [] : [note]),
  ]
  return (
    <li>
      <Link className="row" href={profilePath(user)} onClick={onClose}>
        <Avatar person={user} />
        <span className="voter">
          <UserText className="name">{user.name}</UserText> <SharedHandle person={user} />
          {said.length > 0 && (
            <span className="text-meta" dir="auto">
              {said.join(' / ')}
            </span>
          )}
        </span>
      </Link>
    </li>
  )
}

type Choice = ReturnType<typeof useChoices>[number]

/** Those that somebody chose; at least one. */
function useChoices({ kind, options }: Poll) {
  const t = useText(pollText)
  const lang = useLang()
  const answers = kind === 'choice' ? (['yes'] as const) : answerKinds
  const all = options.flatMap((option) =>
    answers.map((answer) => ({
      key: `${option.id} ${answer}`,
      ...{ option: option.id, answer, count: option.counts?.[answer] ?? 0 },
      name: [option.text ?? (option.day && dateLabel(option, lang)), kind === 'choice' ? null : t[answer]],
    })),
  )
  const chosen = all.filter(({ count }) => count > 0)
  return (chosen.length ? chosen : all).map(({ name, count, ...choice }) => ({
    ...choice,
    label: `${name.filter(Boolean).join(' ')} (${count})`,
  }))
}

async function fetchVoters(id: number, list: Props['list'], chosen: Choice | undefined, from: string | null) {
  if (list === 'missing') {
    const page = await fetchPage(pollEndpoints.missing, { id }, from)
    const toVoter = (user: Voter['user']): Voter => ({ user, note: null, guests: 0, by_guardian: false })
    return { ...page, rows: page.rows.map(toVoter) }
  }
  const { option, answer } = chosen!
  return fetchPage(pollEndpoints.voters, { id, option, answer }, from)
}

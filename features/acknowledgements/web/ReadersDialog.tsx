import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { fillPath } from '#core/contract.ts'
import { profilePath } from '#features/people/contract.ts'
import { callEndpoint, fetchPage } from '#web/api.ts'
import { useText } from '#web/i18n.ts'
import { LoadErrorMessage } from '#web/LoadErrorMessage.tsx'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Link } from '#web/ui/Link.tsx'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import { SegmentedControl } from '#web/ui/SegmentedControl.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import {
  type AcknowledgementCounts,
  type AcknowledgementState,
  acknowledgementEndpoints,
  type Reader,
  type ReaderState,
} from '../contract.ts'
import { setState } from './acknowledgement-store.ts'
import { RemindDialog } from './RemindDialog.tsx'
import { acknowledgementText } from './text.ts'

interface Props {
  id: number
  state: AcknowledgementState
  onClose: () => void
}

const countOf = ({ read, asked, later }: AcknowledgementCounts): Record<ReaderState, number> => ({
  read,
  waiting: asked - read,
  later,
})

/** Only for the author. */
export default function ReadersDialog({ id, state, onClose }: Props) {
  const t = useText(acknowledgementText)
  const [chosen, setChosen] = useState<ReaderState>('read')
  const [isEnding, setIsEnding] = useState(false)
  const [isReminding, setIsReminding] = useState(false)
  const counts = countOf(state.counts!)
  const kinds = (['read', 'waiting', 'later'] as const).filter((kind) => kind !== 'later' || counts.later)
  return (
    <Dialog open title={t.whoRead} onClose={onClose} className="readers">
      <SegmentedControl
        label={t.whoRead}
        onCard
        options={kinds.map((kind) => ({ value: kind, label: t.states[kind](counts[kind]) }))}
        value={chosen}
        onChange={setChosen}
      />
      <ReaderList key={chosen} id={id} state={chosen} count={counts[chosen]} onClose={onClose} />
      {chosen === 'waiting' && state.reminded_at && (
        <p className="text-meta">
          {t.remindedAt}
          <RelativeTime at={state.reminded_at} />
        </p>
      )}
      <div className="dialog-actions">
        {state.is_open && counts.waiting > 0 && (
          <Button onClick={() => setIsReminding(true)}>{t.remind}</Button>
        )}
        <a className="button secondary" href={fillPath(acknowledgementEndpoints.file.path, { id })} download>
          {t.download}
        </a>
        {state.is_open && <Button onClick={() => setIsEnding(true)}>{t.end}</Button>}
        <Button onClick={onClose}>{t.close}</Button>
      </div>
      {isReminding && <RemindDialog id={id} onClose={() => setIsReminding(false)} />}
      {isEnding && (
        <ConfirmDialog
          title={t.endAsk}
          confirmLabel={t.end}
          onConfirm={() => callEndpoint(acknowledgementEndpoints.end, { id })}
          onDone={(answer) => setState(id, answer)}
          onClose={() => setIsEnding(false)}
        >
          {t.endHelp}
        </ConfirmDialog>
      )}
    </Dialog>
  )
}

interface ListProps {
  id: number
  state: ReaderState
  /** Loads the list again when it changes. */
  count: number
  onClose: () => void
}

function ReaderList({ id, state, count, onClose }: ListProps) {
  const t = useText(acknowledgementText)
  const list = useInfiniteQuery({
    queryKey: [acknowledgementEndpoints.readers.path, id, state, count],
    queryFn: ({ pageParam }) => fetchPage(acknowledgementEndpoints.readers, { id, state }, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    placeholderData: (before) => before,
    staleTime: 0,
  })
  const { data, error, isFetching, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = list
  const rows = data?.pages.flatMap((page) => page.rows)
  if (!rows && error)
    return <LoadErrorMessage plain error={error} pending={isFetching} onRetry={() => refetch()} />
  if (!rows) return <LoadingText />
  if (!rows.length) return <p className="text-meta">{t.nobody}</p>
  return (
    <>
      <ul>
        {rows.map((reader) => (
          <ReaderRow key={reader.user.id} reader={reader} onClose={onClose} />
        ))}
      </ul>
      {hasNextPage && (
        <Button pending={isFetchingNextPage} onClick={() => fetchNextPage()}>
          {t.showMore}
        </Button>
      )}
    </>
  )
}

function ReaderRow({ reader, onClose }: { reader: Reader; onClose: () => void }) {
  const t = useText(acknowledgementText)
  const { user, read_at, by } = reader
  return (
    <li>
      <Link className="row" href={profilePath(user)} onClick={onClose}>
        <Avatar person={user} size="s" />
        <UserText className="name">{user.name}</UserText>
        <span className="text-meta">
          {by && <span>{t.by(by.name)} </span>}
          {read_at === null ? t.notYet : <RelativeTime at={read_at} />}
        </span>
      </Link>
    </li>
  )
}

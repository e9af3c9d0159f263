import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { Phone } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { fillChannel, fillPath } from '#core/contract.ts'
import { callEndpoint, fetchPage, type ListPage } from '#web/api.ts'
import { useLang, useText } from '#web/i18n.ts'
import { LoadErrorMessage } from '#web/LoadErrorMessage.tsx'
import * as realtime from '#web/realtime.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import {
  type BoardCounts,
  type BoardMember,
  type RollCallDetails,
  rollCallChannels,
  rollCallEndpoints,
} from '../contract.ts'
import { boardLabels } from '../states-contract.ts'
import { AnswerLine } from './AnswerPanel.tsx'
import { detailsKey, listKey } from './queries.ts'
import { boardText } from './text.ts'

type Filter = keyof BoardCounts | ''
const states = ['help', 'none', 'away', 'safe'] as const
/** In ms, from an event to the next request: many answer at once. */
const RELOAD_INTERVAL = 1000

/** For those in charge. Fills live. */
export function Board({ details }: { details: RollCallDetails }) {
  const t = useText(boardText)
  const { id } = details
  const [filter, setFilter] = useState<Filter>('')
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [rollCallEndpoints.board.path, id],
    queryFn: () => callEndpoint(rollCallEndpoints.board, { id }),
  })
  useLiveBoard(id)
  if (!data && error) return <LoadErrorMessage error={error} pending={isFetching} onRetry={() => refetch()} />
  if (!data) return <LoadingText />
  return (
    <section className="card roll-call">
      <h2>{t.title}</h2>
      <Counts counts={data.counts} filter={filter} onFilter={setFilter} />
      <Members id={id} filter={filter} />
      {data.groups.length > 0 && <Groups groups={data.groups} />}
      <div className="roll-call-actions">
        <a className="button secondary" href={fillPath(rollCallEndpoints.report.path, { id })} download>
          {t.report}
        </a>
        {!details.ended_at && <End id={id} />}
      </div>
    </section>
  )
}

function useLiveBoard(id: number) {
  const client = useQueryClient()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const reload = () => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      for (const { path } of [rollCallEndpoints.board, rollCallEndpoints.members])
        void client.invalidateQueries({ queryKey: [path, id] })
    }, RELOAD_INTERVAL)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  realtime.useListener(fillChannel(rollCallChannels.board, { call: id }), {
    onSubscribed: reload,
    events: {
      RollCallChanged({ ended_at }: { ended_at: string | null }) {
        reload()
        if (ended_at) void client.invalidateQueries({ queryKey: detailsKey(id) })
      },
    },
  })
}

interface CountProps {
  counts: BoardCounts
  filter: Filter
  onFilter: (filter: Filter) => void
}

function Counts({ counts, filter, onFilter }: CountProps) {
  const t = useText(boardText)
  const labels = boardLabels[useLang()]
  const all = states.reduce((sum, state) => sum + counts[state], 0)
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would need a visible legend
    <div className="roll-call-counts" role="group" aria-label={t.filter}>
      {states.map((state) => (
        <button
          key={state}
          type="button"
          data-state={state}
          aria-pressed={filter === state}
          onClick={() => onFilter(filter === state ? '' : state)}
        >
          <b>{counts[state]}</b> <span>{labels[state]}</span>
        </button>
      ))}
      <button type="button" aria-pressed={filter === ''} onClick={() => onFilter('')}>
        {t.all(all)}
      </button>
    </div>
  )
}

function Members({ id, filter }: { id: number; filter: Filter }) {
  const t = useText(boardText)
  const { data, error, isFetching, hasNextPage, fetchNextPage, refetch } = useInfiniteQuery({
    queryKey: [rollCallEndpoints.members.path, id, filter],
    queryFn: ({ pageParam }) =>
      fetchPage(rollCallEndpoints.members, { id, ...(filter && { state: filter }) }, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }: ListPage<BoardMember[]>) => next,
  })
  if (!data && error)
    return <LoadErrorMessage error={error} pending={isFetching} onRetry={() => refetch()} plain />
  if (!data) return <LoadingText />
  const rows = data.pages.flatMap((page) => page.rows)
  if (!rows.length) return <p className="text-soft">{t.nobody}</p>
  return (
    <>
      <ul className="roll-call-members">
        {rows.map((member) => (
          <Member key={member.person.id} member={member} />
        ))}
      </ul>
      {hasNextPage && (
        <Button pending={isFetching} onClick={() => fetchNextPage()}>
          {t.more}
        </Button>
      )}
    </>
  )
}

function Member({ member: { person, answer, phone } }: { member: BoardMember }) {
  const t = useText(boardText)
  const labels = boardLabels[useLang()]
  return (
    <li data-state={answer?.state ?? 'none'}>
      <Avatar person={person} size="s" />
      <div className="roll-call-member">
        <UserText className="name">{person.name}</UserText>
        {answer ? <AnswerLine answer={answer} person={person.id} /> : <b data-state="none">{labels.none}</b>}
      </div>
      {phone ? (
        <a
          className="button secondary small"
          href={`tel:${phone.replace(/[^\d+]/g, '')}`}
          aria-label={`${t.call(person.name)}: ${phone}`}
        >
          <Icon icon={Phone} size="s" />
          {phone}
        </a>
      ) : (
        <span className="text-meta">{t.noPhone}</span>
      )}
    </li>
  )
}

function Groups({ groups }: { groups: readonly { id: number; name: string; counts: BoardCounts }[] }) {
  const t = useText(boardText)
  const labels = boardLabels[useLang()]
  return (
    <details>
      <summary>{t.byGroup}</summary>
      <div className="roll-call-table">
        <table>
          <thead>
            <tr>
              <th scope="col">{t.group}</th>
              {states.map((state) => (
                <th key={state} scope="col">
                  {labels[state]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {groups.map(({ id, name, counts }) => (
              <tr key={id}>
                <th scope="row">
                  <UserText>{name}</UserText>
                </th>
                {states.map((state) => (
                  <td key={state} data-state={counts[state] ? state : undefined}>
                    {counts[state]}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}

function End({ id }: { id: number }) {
  const t = useText(boardText)
  const client = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Button kind="danger" onClick={() => setAsking(true)}>
        {t.end}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={t.endTitle}
          confirmLabel={t.end}
          isDestructive
          onClose={() => setAsking(false)}
          onConfirm={() => callEndpoint(rollCallEndpoints.end, { id })}
          onDone={(details) => {
            client.setQueryData(detailsKey(id), details)
            void client.invalidateQueries({ queryKey: listKey })
            showToast(t.endDone, { key: 'roll call' })
          }}
        >
          {t.endHelp}
        </ConfirmDialog>
      )}
    </>
  )
}

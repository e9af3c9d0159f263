import { useInfiniteQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { PeoplePicker } from '#features/people/web/PeoplePicker.tsx'
import { Reading } from '#features/people/web/Reading.tsx'
import { fetchPage } from '#web/api.ts'
import { useErrorText } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { RowSkeletons } from '#web/ui/LoadingText.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import { MAX_PEOPLE, type TurningGroup, turnEndpoints } from '../contract.ts'
import type { Choice } from './lines.ts'
import { turnText } from './text.ts'

interface Props {
  group: TurningGroup
  choice: Choice
  onChange: (choice: Choice) => void
}

/** Who comes along, who joins, and who manages the new group. */
export function Members({ group, choice, onChange }: Props) {
  const t = useText(turnText)
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>{t.who}</summary>
        {isOpen && <Staying group={group} choice={choice} onChange={onChange} />}
      </details>
      <PeoplePicker
        label={t.joining}
        chosen={choice.joining}
        max={MAX_PEOPLE}
        onChange={(joining) => onChange({ ...choice, joining })}
      />
    </>
  )
}

function Staying({ group, choice, onChange }: Props) {
  const t = useText(turnText)
  const explain = useErrorText()
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: [turnEndpoints.members.path, group.id],
    queryFn: ({ pageParam }) => fetchPage(turnEndpoints.members, { id: group.id }, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  })
  if (error) return <Notice kind="error">{explain(error)}</Notice>
  if (!data) return <RowSkeletons count={3} />
  const members = data.pages.flatMap(({ rows }) => rows)
  const isLeaving = (id: number) => choice.leaving.includes(id)
  const toggle = (id: number) =>
    onChange({
      ...choice,
      leaving: isLeaving(id) ? choice.leaving.filter((one) => one !== id) : [...choice.leaving, id],
    })
  const candidates = [...members.filter(({ id }) => !isLeaving(id)), ...choice.joining]
  return (
    <>
      <p className="hint">{t.whoHelp}</p>
      <ul className="rows turning-members">
        {members.map((member) => (
          <li key={member.id}>
            <label className="check">
              <input type="checkbox" checked={!isLeaving(member.id)} onChange={() => toggle(member.id)} />
              <Avatar person={member} />
              <span className="text">
                <UserText className="name">{member.name}</UserText>
                <Reading person={member} aria-hidden />
              </span>
            </label>
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <Button small pending={isFetchingNextPage} onClick={() => fetchNextPage()}>
          {t.more}
        </Button>
      )}
      <Owner group={group} choice={choice} candidates={candidates} onChange={onChange} />
    </>
  )
}

function Owner({
  group,
  choice,
  candidates,
  onChange,
}: Props & { candidates: { id: number; name: string }[] }) {
  const t = useText(turnText)
  const id = useId()
  const wanted = choice.owner === undefined ? (group.owner?.id ?? null) : choice.owner
  const owner = candidates.some((one) => one.id === wanted) ? wanted : null
  return (
    <div className="field">
      <label htmlFor={id}>{t.owner}</label>
      <select
        className="input"
        id={id}
        value={owner ?? ''}
        onChange={({ target }) => onChange({ ...choice, owner: target.value ? Number(target.value) : null })}
      >
        <option value="">{t.admins}</option>
        {candidates.map((one) => (
          <option key={one.id} value={one.id}>
            {one.name}
          </option>
        ))}
      </select>
    </div>
  )
}

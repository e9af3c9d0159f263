import { useQueryClient } from '@tanstack/react-query'
import { MessagesSquare, RotateCw } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import type { Person } from '#features/people/contract.ts'
import { ApiError, api } from '#web/api.ts'
import { isHttpError, pleaseLogIn, useExplain } from '#web/errors.ts'
import { focusLater } from '#web/focus.ts'
import { useText } from '#web/i18n.ts'
import { adminFiguresKey } from '#web/modules.ts'
import { forgetInitialAnswers } from '#web/page-data.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { Name, NameInSentence } from '#web/ui/Name.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { groups } from '../contract.ts'
import { adminGroupsText } from './admin-groups-text.ts'

interface NotAddedMember {
  person: Person
  error: unknown
}
interface AddingMembers {
  group: { id: number; name: string }
  added: number
  /** The number of the person who is being added, and of how many; null once all were tried. */
  turn: { at: number; of: number } | null
  refused: readonly NotAddedMember[]
}

/** Adds people to a new group, one at a time. */
export function useAddMembers() {
  const client = useQueryClient()
  const [adding, setAdding] = useState<AddingMembers | null>(null)
  useConfirmedLeaving(Boolean(adding?.turn))

  async function add(group: AddingMembers['group'], people: readonly Person[], before = 0) {
    const refused: NotAddedMember[] = []
    let added = before
    for (const [i, person] of people.entries()) {
      setAdding({ group, added, turn: { at: i + 1, of: people.length }, refused: [] })
      try {
        await addPatiently(group.id, person.id)
        added++
      } catch (error) {
        refused.push({ person, error })
        if (!stopsAll(error)) continue
        refused.push(...people.slice(i + 1).map((person) => ({ person, error })))
        if (isHttpError(error, 401)) pleaseLogIn()
        break
      }
    }
    forgetInitialAnswers()
    for (const queryKey of [[groups.all.path], [groups.mine.path], adminFiguresKey])
      client.invalidateQueries({ queryKey })
    setAdding({ group, added, turn: null, refused })
  }

  const retry = ({ group, refused, added }: AddingMembers) =>
    add(
      group,
      refused.map(({ person }) => person),
      added,
    )
  return { adding, add, retry, forget: () => setAdding(null) }
}

/** Adds one person. Waits and tries again for as long as the server answers 429. */
async function addPatiently(id: number, user_id: number): Promise<void> {
  try {
    await api(groups.addUser, { id, user_id })
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 429)) throw error
    const seconds = error.retryAfter ?? 1
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
    await addPatiently(id, user_id)
  }
}

/** An error that every other person would meet too: no connection, no session, no right, no group. */
const stopsAll = (error: unknown) => [0, 401, 403, 404].some((status) => isHttpError(error, status))

/** Meanwhile, the browser asks before it leaves the page. */
function useConfirmedLeaving(isBusy: boolean) {
  useEffect(() => {
    if (!isBusy) return
    const stay = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', stay)
    return () => removeEventListener('beforeunload', stay)
  }, [isBusy])
}

interface GroupCreatedProps {
  adding: AddingMembers
  onRetry: () => void
  onAnother: () => void
}

/** Shows how adding the members goes on; at the end, how many were added, and why others were not. */
export function GroupCreated({ adding, onRetry, onAnother }: GroupCreatedProps) {
  const t = useText(adminGroupsText)
  const { group, added, turn, refused } = adding
  if (turn)
    return (
      <Result key="adding">
        <p role="status">{t.adding(turn.at, turn.of)}</p>
        <progress max={turn.of} value={turn.at - 1} aria-label={t.adding(turn.at, turn.of)} />
      </Result>
    )
  return (
    <Result key="done">
      <Notice kind="good">
        <NameInSentence words={t.created(added)} name={group.name} />
      </Notice>
      {refused.length > 0 && <NotAdded refused={refused} onRetry={onRetry} />}
      <div className="line-up">
        <ButtonLink kind="primary" icon={MessagesSquare} href={`/group-chat/${group.id}`}>
          {t.toGroup}
        </ButtonLink>
        <Button onClick={onAnother}>{t.another}</Button>
      </div>
    </Result>
  )
}

/** Takes the focus, since the element that had it is gone. */
function Result({ children }: { children: ReactNode }) {
  useEffect(() => void focusLater('.made'), [])
  return (
    <div className="board alone made" tabIndex={-1}>
      {children}
    </div>
  )
}

function NotAdded({ refused, onRetry }: { refused: readonly NotAddedMember[]; onRetry: () => void }) {
  const t = useText(adminGroupsText)
  const explain = useExplain()
  const why = (error: unknown) => {
    if (isHttpError(error, 401)) return t.pleaseLogIn
    return isHttpError(error, 404) ? t.noSuchGroup : explain(error)
  }
  return (
    <>
      <Notice kind="bad">{t.notAdded(refused.length)}</Notice>
      <ul className="not-added">
        {refused.map(({ person, error }) => (
          <li key={person.id} className="row">
            <Avatar person={person} size="s" />
            <div className="text">
              <Name className="name">{person.name}</Name>
              <span className="line">{why(error)}</span>
            </div>
          </li>
        ))}
      </ul>
      <div>
        <Button icon={RotateCw} onClick={onRetry}>
          {t.retry}
        </Button>
      </div>
    </>
  )
}

import { useQueryClient } from '@tanstack/react-query'
import { MessagesSquare, RotateCw } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { conversationEndpoints } from '#features/conversations/contract.ts'
import type { Person } from '#features/people/contract.ts'
import { ApiError, callEndpoint } from '#web/api.ts'
import { hasStatus, isLongWait, showLogInToast, useErrorText } from '#web/errors.ts'
import { focusFirst } from '#web/focus.ts'
import { useText } from '#web/i18n.ts'
import { forgetAnswers } from '#web/page-data.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { SentenceWithName, UserText } from '#web/ui/UserText.tsx'
import { statisticsKey } from '#web/web-modules.ts'
import { groupEndpoints } from '../contract.ts'
import { adminGroupsText } from './admin-text.ts'

interface FailedMember {
  person: Person
  error: unknown
}
interface AddMembersProgress {
  group: { id: number; name: string }
  added: number
  /** Null when all have been tried. */
  current: { position: number; total: number } | null
  failed: readonly FailedMember[]
}

/** Adds one person at a time. */
export function useAddMembers() {
  const client = useQueryClient()
  const [adding, setAdding] = useState<AddMembersProgress | null>(null)
  useBeforeUnloadWarning(Boolean(adding?.current))

  async function add(group: AddMembersProgress['group'], people: readonly Person[], addedBefore = 0) {
    const failed: FailedMember[] = []
    let added = addedBefore
    for (const [i, person] of people.entries()) {
      setAdding({ group, added, current: { position: i + 1, total: people.length }, failed: [] })
      try {
        await addWithRetry(group.id, person.id)
        added++
      } catch (error) {
        failed.push({ person, error })
        if (!affectsAllMembers(error)) continue
        failed.push(...people.slice(i + 1).map((person) => ({ person, error })))
        if (hasStatus(error, 401)) showLogInToast()
        break
      }
    }
    forgetAnswers()
    for (const queryKey of [[groupEndpoints.all.path], [conversationEndpoints.groups.path], statisticsKey])
      client.invalidateQueries({ queryKey })
    setAdding({ group, added, current: null, failed })
  }

  const retry = ({ group, failed, added }: AddMembersProgress) =>
    add(
      group,
      failed.map(({ person }) => person),
      added,
    )
  return { adding, add, retry, reset: () => setAdding(null) }
}

/** Waits and retries after 429, unless the limit lasts long, as that for new members does. */
async function addWithRetry(id: number, user_id: number): Promise<void> {
  try {
    await callEndpoint(groupEndpoints.addUser, { id, user_id })
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 429) || isLongWait(error)) throw error
    const seconds = error.retryAfter ?? 1
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
    await addWithRetry(id, user_id)
  }
}

/** Others would fail too: no connection, no session, no right, no such group, or a limit that lasts long. */
const affectsAllMembers = (error: unknown) =>
  [0, 401, 403, 404, 429].some((status) => hasStatus(error, status))

function useBeforeUnloadWarning(isBusy: boolean) {
  useEffect(() => {
    if (!isBusy) return
    const prevent = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', prevent)
    return () => removeEventListener('beforeunload', prevent)
  }, [isBusy])
}

interface Props {
  adding: AddMembersProgress
  onRetry: () => void
  onCreateAnother: () => void
}

export function AddProgressCard({ adding, onRetry, onCreateAnother }: Props) {
  const t = useText(adminGroupsText)
  const { group, added, current, failed } = adding
  if (current)
    return (
      <FocusedCard key="adding">
        <p role="status">{t.adding(current.position, current.total)}</p>
        <progress
          max={current.total}
          value={current.position - 1}
          aria-label={t.adding(current.position, current.total)}
        />
      </FocusedCard>
    )
  return (
    <FocusedCard key="done">
      <Notice kind="success">
        <SentenceWithName words={t.created(added)} name={group.name} />
      </Notice>
      {failed.length > 0 && <FailedMembers failed={failed} onRetry={onRetry} />}
      <div className="cluster">
        <ButtonLink kind="primary" icon={MessagesSquare} href={`/group-chat/${group.id}`}>
          {t.toGroup}
        </ButtonLink>
        <Button onClick={onCreateAnother}>{t.createAnother}</Button>
      </div>
    </FocusedCard>
  )
}

/** Gets the focus when it appears, because the element that had the focus has been removed. */
function FocusedCard({ children }: { children: ReactNode }) {
  useEffect(() => void focusFirst('.group-created'), [])
  return (
    <div className="card alone group-created" tabIndex={-1}>
      {children}
    </div>
  )
}

function FailedMembers({ failed, onRetry }: { failed: readonly FailedMember[]; onRetry: () => void }) {
  const t = useText(adminGroupsText)
  const explain = useErrorText()
  const reasonFor = (error: unknown) => {
    if (hasStatus(error, 401)) return t.pleaseLogIn
    return hasStatus(error, 404) ? t.noSuchGroup : explain(error)
  }
  return (
    <>
      <Notice kind="error">{t.notAdded(failed.length)}</Notice>
      <ul className="failed-members">
        {failed.map(({ person, error }) => (
          <li key={person.id} className="row">
            <Avatar person={person} size="s" />
            <div className="text">
              <UserText className="name">{person.name}</UserText>
              <span className="line">{reasonFor(error)}</span>
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

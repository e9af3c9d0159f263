import { useQueryClient } from '@tanstack/react-query'
import { MessagesSquare, RotateCw } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import type { Person } from '#features/people/contract.ts'
import { ApiError, callEndpoint } from '#web/api.ts'
import {
  isErrorWithStatus,
  isRateLimitWithLongWait,
  showLogInPromptToast,
  useErrorFormatter,
} from '#web/errors.ts'
import { focusFirstMatchOnceRendered } from '#web/focus.ts'
import { useText } from '#web/i18n.ts'
import { forgetInitialEndpointResponses } from '#web/page-data.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { SentenceWithName, UserText } from '#web/ui/UserText.tsx'
import { adminStatisticsQueryKey } from '#web/web-modules.ts'
import { groupEndpoints } from '../group-contract.ts'
import { adminGroupsText } from './admin-groups-text.ts'

interface FailedMember {
  person: Person
  error: unknown
}
interface AddMembersProgress {
  group: { id: number; name: string }
  added: number
  /**
   * The position of the person who is being added to the group, and the number of people to add. Null when
   * all have been tried.
   */
  current: { position: number; total: number } | null
  failed: readonly FailedMember[]
}

/** Returns functions that add people to a new group, one at a time, and the progress of adding them. */
export function useAddMembersToNewGroup() {
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
        if (isErrorWithStatus(error, 401)) showLogInPromptToast()
        break
      }
    }
    forgetInitialEndpointResponses()
    for (const queryKey of [[groupEndpoints.all.path], [groupEndpoints.mine.path], adminStatisticsQueryKey])
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

/**
 * Adds one person to a group. Waits and retries while the server answers 429, unless the limit lasts long, as
 * the limit for new members does.
 */
async function addWithRetry(id: number, user_id: number): Promise<void> {
  try {
    await callEndpoint(groupEndpoints.addUser, { id, user_id })
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 429) || isRateLimitWithLongWait(error)) throw error
    const seconds = error.retryAfter ?? 1
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
    await addWithRetry(id, user_id)
  }
}

/**
 * Returns whether the same error would occur for all other people too: no connection, not logged in, not
 * allowed, no such group, or a limit that lasts long.
 */
const affectsAllMembers = (error: unknown) =>
  [0, 401, 403, 404, 429].some((status) => isErrorWithStatus(error, status))

/** Makes the browser ask the user before it closes or reloads the page while `isBusy` is true. */
function useBeforeUnloadWarning(isBusy: boolean) {
  useEffect(() => {
    if (!isBusy) return
    const prevent = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', prevent)
    return () => removeEventListener('beforeunload', prevent)
  }, [isBusy])
}

interface AddMembersProgressCardProps {
  adding: AddMembersProgress
  onRetry: () => void
  onCreateAnother: () => void
}

/**
 * Renders the progress while people are added to a new group. At the end, shows how many were added, and why
 * others were not.
 */
export function AddGroupMembersProgressCard({
  adding,
  onRetry,
  onCreateAnother,
}: AddMembersProgressCardProps) {
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

/**
 * Renders a card that gets the focus when it appears, because the element that had the focus has been
 * removed.
 */
function FocusedCard({ children }: { children: ReactNode }) {
  useEffect(() => void focusFirstMatchOnceRendered('.group-created'), [])
  return (
    <div className="card alone group-created" tabIndex={-1}>
      {children}
    </div>
  )
}

function FailedMembers({ failed, onRetry }: { failed: readonly FailedMember[]; onRetry: () => void }) {
  const t = useText(adminGroupsText)
  const explain = useErrorFormatter()
  const reasonFor = (error: unknown) => {
    if (isErrorWithStatus(error, 401)) return t.pleaseLogIn
    return isErrorWithStatus(error, 404) ? t.noSuchGroup : explain(error)
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

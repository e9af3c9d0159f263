import { MessagesSquare, RotateCw } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { isHttpError, useExplain } from '#web/errors.ts'
import { focusLater } from '#web/focus.ts'
import { useText } from '#web/i18n.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { Name, NameInSentence } from '#web/ui/Name.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { adminGroupsText } from './admin-groups-text.ts'
import type { AddingMembers, NotAddedMember } from './useAddMembers.tsx'

/** Shows, once the group exists, how adding its members goes on: then how many were added, and why others were not. */
export function GroupCreated({
  group,
  added,
  turn,
  refused,
  onRetry,
  onAnother,
}: AddingMembers & { onRetry: () => void; onAnother: () => void }) {
  const t = useText(adminGroupsText)
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

import { MessagesSquare, RotateCw } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { isHttpError, useExplain } from '#web/errors.ts'
import { focusLater } from '#web/focus.ts'
import { useText } from '#web/i18n.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { Name } from '#web/ui/Name.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { NameInSentence } from './NameInSentence.tsx'
import { adminText } from './text.ts'
import type { Adding, Refused } from './useAddMembers.tsx'

/** The group is there: who is being added, then who was, and who was not and why. */
export function GroupCreated({
  group,
  added,
  turn,
  refused,
  onRetry,
  onAnother,
}: Adding & { onRetry: () => void; onAnother: () => void }) {
  const t = useText(adminText)
  if (turn)
    return (
      <Told key="adding">
        <p role="status">{t.adding(turn.at, turn.of)}</p>
        <progress max={turn.of} value={turn.at - 1} aria-label={t.adding(turn.at, turn.of)} />
      </Told>
    )
  return (
    <Told key="done">
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
    </Told>
  )
}

/** What had the focus is gone: this takes it. */
function Told({ children }: { children: ReactNode }) {
  useEffect(() => void focusLater('.made'), [])
  return (
    <div className="board alone made" tabIndex={-1}>
      {children}
    </div>
  )
}

function NotAdded({ refused, onRetry }: { refused: readonly Refused[]; onRetry: () => void }) {
  const t = useText(adminText)
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

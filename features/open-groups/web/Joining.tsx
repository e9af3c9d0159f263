import { Check, MessagesSquare, UserPlus } from 'lucide-react'
import { useText } from '#web/i18n.ts'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import type { OpenGroup } from '../contract.ts'
import { useJoining } from './queries.ts'
import { openGroupText } from './text.ts'

interface Props {
  group: OpenGroup
  isLarge?: boolean
  /** Of the link to the group. */
  token?: string
}

/** The one thing that the viewer can do, and how it stands. */
export function Joining({ group, isLarge, token }: Props) {
  const t = useText(openGroupText)
  const { mutate, isPending } = useJoining(group, token)
  const { id, name, state, access, is_full } = group
  const small = !isLarge
  if (state === 'member')
    return (
      <ButtonLink small={small} icon={MessagesSquare} label={t.openChatOf(name)} href={`/group-chat/${id}`}>
        {t.openChat}
      </ButtonLink>
    )
  if (state === 'declined') return <span className="chip">{t.declined}</span>
  if (state === 'waiting' && access !== 'open')
    return (
      <span className="group-waiting">
        <span className="chip">
          <Icon icon={Check} size="s" /> {t.waiting}
        </span>
        <Button
          small={small}
          kind="ghost"
          label={t.takeBackWhom(name)}
          pending={isPending}
          onClick={() => mutate()}
        >
          {t.takeBack}
        </Button>
      </span>
    )
  if (is_full) return <span className="chip">{t.full}</span>
  const asks = access !== 'open'
  return (
    <Button
      kind="primary"
      small={small}
      icon={UserPlus}
      label={asks ? t.askWhom(name) : t.joinWhom(name)}
      pending={isPending}
      onClick={() => mutate()}
    >
      {asks ? t.ask : t.join}
    </Button>
  )
}

import './audience-mark.css'
import { MessagesSquare, UserRoundCheck, Users } from 'lucide-react'
import { useText } from '#web/i18n.ts'
import { Icon } from '#web/ui/Icon.tsx'
import type { Post } from '../contract.ts'
import { useAudienceGroups } from './audience-groups.ts'
import { audienceText } from './audience-text.ts'

const icons = { members: Users, followers: UserRoundCheck, group: MessagesSquare }

interface Props {
  audience: NonNullable<Post['audience']>
  group: number | undefined
}

/** For a post that is not for everyone. */
export function AudienceBadge({ audience, group }: Props) {
  const t = useText(audienceText)
  const { data: groups } = useAudienceGroups(audience === 'group')
  const texts = {
    members: t.onlyMembers,
    followers: t.onlyFollowers,
    group: t.onlyGroup(groups?.find(({ id }) => id === group)?.name),
  }
  return (
    <span className="audience-mark" title={texts[audience]}>
      <Icon icon={icons[audience]} size="s" />
      <span className="visually-hidden">{texts[audience]}</span>
    </span>
  )
}

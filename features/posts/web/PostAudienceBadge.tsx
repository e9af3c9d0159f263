import './audience-mark.css'
import { MessagesSquare, UserRoundCheck, Users } from 'lucide-react'
import { useText } from '#web/i18n.ts'
import { Icon } from '#web/ui/Icon.tsx'
import type { Post } from '../contract.ts'
import { usePostAudienceGroupsQuery } from './audience-groups.ts'
import { postAudienceText } from './audience-text.ts'

const icons = { members: Users, followers: UserRoundCheck, group: MessagesSquare }

interface AudienceMarkProps {
  audience: NonNullable<Post['audience']>
  group: number | undefined
}

/**
 * Renders the icon beside the time of a post that is not for everyone. Its text says who can see the post.
 */
export function PostAudienceBadge({ audience, group }: AudienceMarkProps) {
  const t = useText(postAudienceText)
  const { data: groups } = usePostAudienceGroupsQuery(audience === 'group')
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

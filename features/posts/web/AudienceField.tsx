import './audience-field.css'
import { Globe, MessagesSquare, UserRoundCheck, Users } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useText } from '#web/i18n.ts'
import { onDelivery, readLocal, writeLocal } from '#web/local-storage.ts'
import { useMe } from '#web/me.ts'
import { pageData } from '#web/page-data.ts'
import { Icon } from '#web/ui/Icon.tsx'
import { type AudienceChoice, audiences, groupIdOf } from './audience-choice.ts'
import { useAudienceGroups } from './audience-groups.ts'
import { audienceText } from './audience-text.ts'
import { audienceKey, draftAudienceKey } from './draft-keys.ts'

/** From local storage. Default: everyone. */
const toChoice = (text: string | null) =>
  (text !== null && /^group \d+$/.test(text)
    ? text
    : (audiences.find((one) => one === text) ?? 'everyone')) as AudienceChoice

export function audienceFields(choice: AudienceChoice): Record<string, string> {
  const group = groupIdOf(choice)
  return group === null ? { audience: choice } : { audience: 'group', group_id: String(group) }
}

/**
 * The device remembers the account's last choice. If the member is no longer in the remembered group, the
 * audience becomes `members` and not `everyone`, because the member had chosen a smaller audience.
 */
export function useAudience(account: number) {
  const key = audienceKey(account)
  const [chosen, setChosen] = useState(() => toChoice(readLocal(draftAudienceKey(account)) ?? readLocal(key)))
  const ofDraft = draftAudienceKey(account)
  useEffect(() => onDelivery(ofDraft, (choice) => choice && setChosen(toChoice(choice))), [ofDraft])
  // The form stays open if the session ends while the member is writing, and a visitor has no groups.
  const isLoggedIn = useMe() !== null
  const { data: groups } = useAudienceGroups(isLoggedIn)
  const group = groupIdOf(chosen)
  const isGone = group !== null && groups !== undefined && !groups.some(({ id }) => id === group)
  const chooseAudience = (next: AudienceChoice) => {
    setChosen(next)
    writeLocal(key, next)
    writeLocal(draftAudienceKey(account), '')
  }
  return { audience: isGone ? 'members' : chosen, groups: groups ?? [], chooseAudience } as const
}

interface Props extends ReturnType<typeof useAudience> {
  disabled: boolean
}

export function AudienceField({ audience, groups, disabled, chooseAudience }: Props) {
  const t = useText(audienceText)
  const isMembersOnly = pageData.app.membersOnly
  // If only members can read the community, `everyone` means all members. A current choice `members` is still
  // shown, because visitors may be let in again later.
  const choices = audiences.filter((one) => one !== 'members' || !isMembersOnly || audience === 'members')
  const icons = { everyone: isMembersOnly ? Users : Globe, members: Users, followers: UserRoundCheck }
  const known = audiences.find((one) => one === audience)
  return (
    <label className="audience-field">
      <Icon icon={known ? icons[known] : MessagesSquare} size="s" />
      <span className="visually-hidden">{t.whoCanSee}</span>
      <select
        value={audience}
        disabled={disabled}
        title={t.whoCanSee}
        onChange={(event) => chooseAudience(event.target.value as AudienceChoice)}
      >
        {choices.map((one) => (
          <option key={one} value={one}>
            {one === 'everyone' && isMembersOnly ? t.allMembers : t[one]}
          </option>
        ))}
        {groups.length > 0 && (
          <optgroup label={t.oneGroup}>
            {groups.map(({ id, name }) => (
              <option key={id} value={`group ${id}`}>
                {name}
              </option>
            ))}
          </optgroup>
        )}
        {/* Shows the remembered group without its name until the groups are loaded. */}
        {!known && !groups.length && <option value={audience}>{t.oneGroup}</option>}
      </select>
    </label>
  )
}

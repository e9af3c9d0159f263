import './audience-field.css'
import { Globe, MessagesSquare, UserRoundCheck, Users } from 'lucide-react'
import { useState } from 'react'
import { useText } from '#web/i18n.ts'
import { readLocalStorage, writeLocalStorage } from '#web/local-storage.ts'
import { useMe } from '#web/me.ts'
import { initialPageData } from '#web/page-data.ts'
import { Icon } from '#web/ui/Icon.tsx'
import { usePostAudienceGroupsQuery } from './audience-groups.ts'
import { postAudienceText } from './audience-text.ts'

const audiences = ['everyone', 'members', 'followers'] as const

/** A choice in the field for the audience of a new post: an audience, or one group, such as `group 7`. */
export type PostAudienceChoice = (typeof audiences)[number] | `group ${number}`

/** Returns the audience choice that a text in local storage contains. Default: everyone. */
const toChoice = (text: string | null) =>
  (text !== null && /^group \d+$/.test(text)
    ? text
    : (audiences.find((one) => one === text) ?? 'everyone')) as PostAudienceChoice

export const toGroupIdOfAudienceChoice = (choice: PostAudienceChoice) =>
  choice.startsWith('group ') ? Number(choice.slice('group '.length)) : null

/** Returns the form fields of the request for a new post that name its audience. */
export function toPostAudienceFormFields(choice: PostAudienceChoice): Record<string, string> {
  const group = toGroupIdOfAudienceChoice(choice)
  return group === null ? { audience: choice } : { audience: 'group', group_id: String(group) }
}

/**
 * Returns the chosen audience of the next post, the groups that the member can choose, and a function that
 * changes the choice. The device remembers the account's last choice. If the member is no longer in the
 * remembered group, the audience becomes `members` and not `everyone`, because the member had chosen a
 * smaller audience.
 */
export function useRememberedPostAudience(account: number) {
  const key = `engawa:audience:${account}`
  const [chosen, setChosen] = useState(() => toChoice(readLocalStorage(key)))
  // Loads the groups only while the reader is logged in. The form stays open if the session ends while the
  // member is writing, and a visitor has no groups.
  const isLoggedIn = useMe() !== null
  const { data: groups } = usePostAudienceGroupsQuery(isLoggedIn)
  const group = toGroupIdOfAudienceChoice(chosen)
  const isGone = group !== null && groups !== undefined && !groups.some(({ id }) => id === group)
  const chooseAudience = (next: PostAudienceChoice) => {
    setChosen(next)
    writeLocalStorage(key, next)
  }
  return { audience: isGone ? 'members' : chosen, groups: groups ?? [], chooseAudience } as const
}

interface AudienceFieldProps extends ReturnType<typeof useRememberedPostAudience> {
  disabled: boolean
}

/** Renders the field of the form for a new post in which the member chooses who can see the post. */
export function PostAudienceField({ audience, groups, disabled, chooseAudience }: AudienceFieldProps) {
  const t = useText(postAudienceText)
  const isMembersOnly = initialPageData.app.membersOnly
  // If only members can read the community, `everyone` means all members, so the choice `members` is left
  // out. It is shown if it is the current choice, because visitors may be let in again later.
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
        onChange={(event) => chooseAudience(event.target.value as PostAudienceChoice)}
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

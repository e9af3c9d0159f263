import { Dot, useText } from '#web/i18n.ts'
import { Field } from '#web/ui/Field.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import type { TurningGroup } from '../contract.ts'
import type { Choice } from './lines.ts'
import { Members } from './Members.tsx'
import { turnText } from './text.ts'

interface Props {
  group: TurningGroup
  choice: Choice
  onChange: (choice: Choice) => void
}

export function GroupChoice({ group, choice, onChange }: Props) {
  const t = useText(turnText)
  const { name, members_count, owner } = group
  return (
    <li>
      <div className="turning-group">
        <div className="text">
          <UserText className="name">{name}</UserText>
          <span className="text-meta">
            {t.members(members_count)}
            <Dot />
            {owner ? t.ownedBy(owner.name) : t.noOwner}
          </span>
        </div>
        <select
          className="input"
          aria-label={t.what(name)}
          value={choice.what}
          onChange={({ target }) => onChange({ ...choice, what: target.value as Choice['what'] })}
        >
          <option value="stays">{t.stays}</option>
          <option value="goesOn">{t.goesOn}</option>
          <option value="ends">{t.ends}</option>
        </select>
      </div>
      {choice.what === 'goesOn' && (
        <div className="turning-details">
          <Field
            label={t.newName}
            value={choice.name}
            maxLength={255}
            required
            onChange={({ target }) => onChange({ ...choice, name: target.value })}
          />
          <Members group={group} choice={choice} onChange={onChange} />
        </div>
      )}
    </li>
  )
}

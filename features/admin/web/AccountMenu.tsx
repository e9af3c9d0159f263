import { Ban, DoorOpen, Ellipsis, Link, ShieldCheck, ShieldMinus } from 'lucide-react'
import { Fragment } from 'react'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import type { LucideIcon } from '#web/ui/Icon.tsx'
import { Menu, MenuButton } from '#web/ui/Menu.tsx'
import type { Account } from '../contract.ts'
import { adminText } from './text.ts'

/** An action on an account; also the name of its call and of its texts. */
export type AccountAction = 'grant' | 'revoke' | 'suspend' | 'letBackIn'

const icons: Record<AccountAction, LucideIcon> = {
  grant: ShieldCheck,
  revoke: ShieldMinus,
  suspend: Ban,
  letBackIn: DoorOpen,
}

/** The actions that the server allows: it suspends no admin, and makes nobody an admin who is suspended. */
function actionsFor({ is_admin, suspended_at }: Account): AccountAction[] {
  if (is_admin) return ['revoke']
  return suspended_at ? ['letBackIn'] : ['grant', 'suspend']
}

interface AccountMenuProps {
  account: Account
  onCopy: () => void
  onAsk: (action: AccountAction) => void
}
export function AccountMenu({ account, onCopy, onAsk }: AccountMenuProps) {
  const t = useText(adminText)
  const label = t.moreAbout(account.name)
  return (
    <Menu
      label={label}
      button={(props) => <Button {...props} kind="bare" only small icon={Ellipsis} label={label} />}
    >
      {!account.email_verified_at && (
        <MenuButton icon={Link} onPress={onCopy}>
          {t.copyLink}
        </MenuButton>
      )}
      {actionsFor(account).map((action) => (
        <Fragment key={action}>
          {action === 'suspend' && <hr />}
          <MenuButton icon={icons[action]} danger={action === 'suspend'} onPress={() => onAsk(action)}>
            {t[action].item}
          </MenuButton>
        </Fragment>
      ))}
    </Menu>
  )
}

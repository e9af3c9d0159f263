import { Ellipsis } from 'lucide-react'
import { defineTexts, useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { Menu } from '#web/ui/Menu.tsx'
import { hasPage } from '#web/views.tsx'
import { SearchMenuItems } from './SearchMenuItems.tsx'

const ownMenuText = defineTexts({ en: { more: 'More' }, ja: { more: 'その他' } })

/** Of the member's own profile. */
export function OwnMenu({ id }: { id: number }) {
  const { more } = useText(ownMenuText)
  if (!hasPage('/search')) return null
  return (
    <Menu
      label={more}
      renderButton={(props) => <Button {...props} kind="ghost" iconOnly icon={Ellipsis} label={more} />}
    >
      <SearchMenuItems place={`person:${id}`} />
    </Menu>
  )
}

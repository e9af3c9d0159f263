import { Ban, Ellipsis } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { Menu, MenuItemButton } from '#web/ui/Menu.tsx'
import type { Person } from '../contract.ts'
import { blockText } from './block-text.ts'

const BlockDialog = lazy(() => import('./BlockDialog.tsx'))

/** The menu with the seldom actions on another member. */
export function PersonMenu({ person }: { person: Person }) {
  const t = useText(blockText)
  const [isBlocking, setBlocking] = useState(false)
  return (
    <>
      <Menu
        label={t.more}
        renderButton={(props) => (
          <Button {...props} kind="ghost" iconOnly icon={Ellipsis} label={t.moreAbout(person.name)} />
        )}
      >
        <MenuItemButton icon={Ban} danger onPress={() => setBlocking(true)}>
          {t.block}
        </MenuItemButton>
      </Menu>
      {isBlocking && (
        <Suspense>
          <BlockDialog person={person} onClose={() => setBlocking(false)} />
        </Suspense>
      )}
    </>
  )
}

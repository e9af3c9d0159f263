import { Ban, Ellipsis, ShieldCheck, Volume2, VolumeX } from 'lucide-react'
import { type ReactNode, Suspense, useState } from 'react'
import { useText } from '#web/i18n.ts'
import { lazyWithRetry } from '#web/lazyWithRetry.ts'
import { Button } from '#web/ui/Button.tsx'
import { Menu, MenuItemButton, MenuItemLink } from '#web/ui/Menu.tsx'
import { hasPageAtPath } from '#web/views.tsx'
import type { Person } from '../contract.ts'
import { blockAndMuteText } from './block-text.ts'

const BlockDialog = lazyWithRetry(() => import('./BlockDialog.tsx'))
const MuteDialog = lazyWithRetry(() => import('./MuteDialog.tsx'))

/**
 * Renders the menu with the rarely used actions on another member: mute, report and block. `isMuted` says
 * whether the current member has muted the person. `children` are further menu items, which come first.
 */
export function PersonMenu({
  person,
  isMuted,
  children,
}: {
  person: Person
  isMuted: boolean
  children?: ReactNode
}) {
  const t = useText(blockAndMuteText)
  const [dialog, setDialog] = useState<'block' | 'mute' | null>(null)
  const close = () => setDialog(null)
  return (
    <>
      <Menu
        label={t.more}
        renderButton={(props) => (
          <Button {...props} kind="ghost" iconOnly icon={Ellipsis} label={t.moreAbout(person.name)} />
        )}
      >
        {children}
        <MenuItemButton icon={isMuted ? Volume2 : VolumeX} onPress={() => setDialog('mute')}>
          {isMuted ? t.unmute : t.mute}
        </MenuItemButton>
        {hasPageAtPath('/report/member/1') && (
          <MenuItemLink icon={ShieldCheck} href={`/report/member/${person.id}`}>
            {t.report}
          </MenuItemLink>
        )}
        <MenuItemButton icon={Ban} danger onPress={() => setDialog('block')}>
          {t.block}
        </MenuItemButton>
      </Menu>
      <Suspense>
        {dialog === 'mute' && <MuteDialog person={person} isMuted={isMuted} onClose={close} />}
        {dialog === 'block' && <BlockDialog person={person} onClose={close} />}
      </Suspense>
    </>
  )
}

import { Ellipsis } from 'lucide-react'
import { type ReactNode, Suspense, useState } from 'react'
import { san } from '#core/text/honorific.ts'
import { defineTexts, useText } from '#web/i18n.ts'
import { lazyWithRetry } from '#web/lazyWithRetry.ts'
import { Button } from '#web/ui/Button.tsx'
import { Menu } from '#web/ui/Menu.tsx'
import type { Person } from '../contract.ts'

const PersonMenuItems = lazyWithRetry(() => import('./PersonMenuItems.tsx'))
const BlockDialog = lazyWithRetry(() => import('./BlockDialog.tsx'))
const MuteDialog = lazyWithRetry(() => import('./MuteDialog.tsx'))

const menuText = defineTexts({
  en: { more: 'More', moreAbout: (name: string) => `More about ${name}` },
  ja: { more: 'その他', moreAbout: (name: string) => `${san(name)}についてのメニュー` },
})

/** Mute, report and block. `children` are further menu items, which come first. */
export function PersonMenu({
  person,
  isMuted,
  children,
}: {
  person: Person
  isMuted: boolean
  children?: ReactNode
}) {
  const t = useText(menuText)
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
        <Suspense>
          <PersonMenuItems person={person} isMuted={isMuted} onOpen={setDialog}>
            {children}
          </PersonMenuItems>
        </Suspense>
      </Menu>
      <Suspense>
        {dialog === 'mute' && <MuteDialog person={person} isMuted={isMuted} onClose={close} />}
        {dialog === 'block' && <BlockDialog person={person} onClose={close} />}
      </Suspense>
    </>
  )
}

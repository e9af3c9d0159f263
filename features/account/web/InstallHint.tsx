import './install-hint.css'
import { Smartphone, X } from 'lucide-react'
import { useState } from 'react'
import { useText } from '#web/i18n.ts'
import { isAppleMobile, useInstallPrompt, useIsInstalled } from '#web/install-prompt.ts'
import { writeLocal } from '#web/local-storage.ts'
import { Button } from '#web/ui/Button.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { installText } from './section-text.ts'

/** Where the browser has a dialog for it, or the device a menu. Later offers would move what is below. */
export default function InstallHint() {
  const t = useText(installText)
  const install = useInstallPrompt()
  const [isOffered] = useState(install !== null || isAppleMobile())
  const [isHidden, setIsHidden] = useState(false)
  const isInstalled = useIsInstalled()
  if (!isOffered || isHidden || isInstalled) return null
  const hide = () => {
    writeLocal('engawa:no-install-hint', '1')
    setIsHidden(true)
    document.querySelector<HTMLElement>('#main h1')?.focus()
  }
  return (
    <section className="install-hint card" aria-label={t.title}>
      <Icon icon={Smartphone} />
      <p>{isAppleMobile() ? t.iphone : t.hint}</p>
      {install && (
        <Button
          onClick={() => {
            hide()
            install()
          }}
        >
          {t.install}
        </Button>
      )}
      <Button kind="ghost" iconOnly icon={X} label={t.hideHint} onClick={hide} />
    </section>
  )
}

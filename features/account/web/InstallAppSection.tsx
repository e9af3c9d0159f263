import { Download } from 'lucide-react'
import { useText } from '#web/i18n.ts'
import { isAppleMobile, useInstallPrompt, useIsInstalled } from '#web/install-prompt.ts'
import { Button } from '#web/ui/Button.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { SectionCard } from './SectionCard.tsx'
import { installText } from './section-text.ts'

/** For a browser that offers no dialog for the installation. */
function findInstallWay(): 'iphone' | 'mac' | 'android' | 'menu' {
  const { userAgent } = navigator
  if (isAppleMobile()) return 'iphone'
  if (/Macintosh.*Safari/.test(userAgent) && !/Chrom/.test(userAgent)) return 'mac'
  return /Android/.test(userAgent) ? 'android' : 'menu'
}

/** A button if the browser has a dialog, otherwise an instruction. Nothing in the installed app. */
export function InstallAppSection() {
  const t = useText(installText)
  const install = useInstallPrompt()
  if (useIsInstalled()) return null
  return (
    <SectionCard id="install" title={t.title} help={t.help}>
      {install ? (
        <div className="form-actions">
          <Button icon={Download} onClick={install}>
            {t.install}
          </Button>
        </div>
      ) : window.isSecureContext ? (
        <p>{t[findInstallWay()]}</p>
      ) : (
        <Notice kind="warning">{t.insecure}</Notice>
      )}
    </SectionCard>
  )
}

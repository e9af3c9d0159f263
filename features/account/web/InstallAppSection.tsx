import { Download } from 'lucide-react'
import { useText } from '#web/i18n.ts'
import { isAppleMobileDevice, useAppInstallPromptOpener, useIsAppInstalled } from '#web/install-prompt.ts'
import { Button } from '#web/ui/Button.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { AccountPageSectionCard } from './AccountPageSectionCard.tsx'
import { installAppText } from './install-text.ts'

/**
 * Returns which instruction for the installation suits this browser. It is shown if the browser offers no
 * dialog for the installation.
 */
function findInstallWay(): 'iphone' | 'mac' | 'android' | 'menu' {
  const { userAgent } = navigator
  if (isAppleMobileDevice()) return 'iphone'
  if (/Macintosh.*Safari/.test(userAgent) && !/Chrom/.test(userAgent)) return 'mac'
  return /Android/.test(userAgent) ? 'android' : 'menu'
}

/**
 * Renders the section of the account page that installs the site as an app: with a button if the browser has
 * a dialog for the installation, otherwise with an instruction for the browser's menu. Renders nothing if the
 * page runs as the installed app.
 */
export function InstallAppSection() {
  const t = useText(installAppText)
  const install = useAppInstallPromptOpener()
  if (useIsAppInstalled()) return null
  return (
    <AccountPageSectionCard id="install" title={t.title} help={t.help}>
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
    </AccountPageSectionCard>
  )
}

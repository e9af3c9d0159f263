import { type ComponentType, useEffect, useState } from 'react'
import { waitUntilIdle } from '#web/idle.ts'
import { readLocal } from '#web/local-storage.ts'

let Hint: ComponentType | null = null

/** For members on a phone or tablet. Only a later visit of the page shows it, so that nothing moves. */
export function useInstallHint(isMember: boolean) {
  const [Shown] = useState(() => Hint)
  useEffect(() => {
    if (!isMember || Hint || readLocal('engawa:no-install-hint') || !matchMedia('(hover: none)').matches)
      return
    waitUntilIdle()
      .then(() => import('#features/account/web/InstallHint.tsx'))
      .then(
        (found) => {
          Hint = found.default
        },
        () => {},
      )
  }, [isMember])
  return Shown
}

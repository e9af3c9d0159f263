/** Phones have a share sheet; many desktop browsers have none. */
export const canShare = 'share' in navigator

/** Resolves when the sheet is closed. Rejects if it could not open; to cancel it is no error. */
export const share = (data: ShareData) =>
  navigator.share(data).catch((error: unknown) => {
    if (!(error instanceof DOMException && error.name === 'AbortError')) throw error
  })

/**
 * The browser tests that a change of each feature, or of the shell in `web/`, can break most easily. A test of
 * tests/run checks that each file is named, so that `npm run test:changed` forgets none.
 */
export const browserTests: Record<string, readonly string[]> = {
  web: [
    ...[
      'back-forward-cache',
      'display',
      'double-submit',
      'insecure-address',
      'install-hint',
      'installable',
      'katakana',
      'lazy-parts',
      'long-names',
    ],
    ...['navigation', 'new-version', 'offline', 'overlays', 'pages', 'print', 'scroll-bars', 'server-crash'],
    ...['spec-realtime', 'spec-requests', 'spec-states', 'spec-texts', 'two-windows', 'visitor-settings'],
    ...['channel-auth', 'clients-echo-react'],
  ],
  people: ['accounts', 'blocks', 'handles', 'people', 'profiles'],
  registration: ['accounts', 'invitations', 'join-requests', 'members-only'],
  account: [
    ...[
      'account',
      'account-deletion',
      'account-keyboard',
      'confirmations',
      'passkeys',
      'qr-codes',
      'recovery',
      'second-step',
    ],
  ],
  posts: [
    ...['audiences', 'far-rows', 'group-pinned-posts', 'heic', 'lightbox', 'likes', 'long-lists'],
    ...['picture-time', 'pin-mark', 'post-changes', 'posts', 'posts-lists'],
  ],
  tags: ['tags'],
  replies: ['latest-replies', 'replies', 'reply-menu', 'reply-shortcuts'],
  voice: ['voice-messages'],
  conversations: ['chat', 'chat-access', 'chat-list', 'chat-mutes', 'chat-seen-by', 'new-chat'],
  groups: ['group-details', 'groups', 'slow-mode'],
  messages: [
    ...['chat', 'chat-access', 'chat-editing', 'chat-files', 'chat-first-render', 'chat-forwards'],
    ...['chat-late-styles', 'chat-live-changes', 'chat-pins', 'chat-quotes', 'chat-sending', 'chat-touch'],
  ],
  reactions: ['reaction-keyboard', 'reactions'],
  mentions: ['mention-look', 'mentions'],
  'link-previews': ['link-previews'],
  notifications: ['announcements', 'notification-names', 'notifications-read'],
  push: ['push', 'push-obstacles', 'push-permission', 'quiet-hours'],
  digest: ['account'],
  deliveries: ['deliveries'],
  guardians: ['all-pages'],
  cards: ['member-cards'],
  moderation: ['confirmations', 'moderation', 'reply-menu'],
  admin: ['admin', 'admin-settings', 'admin-users', 'confirmations'],
  export: ['export'],
  shop: ['shop'],
  'public-chat': ['public-chat', 'spec-realtime', 'without-chat'],
  'current-user': ['spec-texts'],
}

import type { ServiceCatalogue } from './texts.ts';

/** The texts of mails, bots and pages in Japanese. */
export const messages: ServiceCatalogue = {
  'mails.invitationSubject': '{inviter}さんから{organization}への招待',
  'mails.invitation': '{inviter}さんからTeam Chatの{organization}に招待されています。',
  'mails.joiningSubject': '{organization}：メールアドレスの確認',
  'mails.joining': 'このメールアドレスで{organization}への参加を申し込みました。',
  'mails.joiningLink': 'アカウントの作成を完了するには、次のリンクを開いてください。',
  'mails.joiningLinkIsYours': 'このリンクはあなた専用です。',
  'mails.joiningLinkIsYoursUntil':
    'このリンクはあなた専用で、{end, date, long} {end, time, short}（UTC）まで有効です。',
  'mails.joiningUnexpected': '心当たりがない場合は、このメールを無視してください。',
  'mails.accountSubject': '{organization}のアカウントをすでにお持ちです',
  'mails.account':
    'このメールアドレスで{organization}への参加が申し込まれましたが、すでにアカウントがあります。',
  'mails.accountAddress': 'こちらからログインしてください。',
  'mails.notYou': '心当たりがない場合は、このメールを無視してください。',
  'mails.passwordSubject': '{organization}：パスワードの再設定',
  'mails.password':
    '{organization}のアカウントについて、パスワードの再設定が申し込まれました。新しいパスワードを設定するには、次のリンクを開いてください。',
  'mails.passwordLink':
    'リンクは1時間以内に1回だけ使えます。再設定すると、ほかの端末からはすべてログアウトされます。',
  'mails.passwordNotYou': '心当たりがない場合は、このメールを無視してください。パスワードは変更されません。',
  'mails.addressSubject': '{organization}：新しいメールアドレスの確認',
  'mails.address':
    'このメールアドレスを{organization}のアカウントで使うことを申し込みました。確認するには、ログインしているブラウザーで次のリンクを開いてください。',
  'mails.addressLink': 'リンクは24時間以内に1回だけ使えます。',
  'mails.addressNotYou': '心当たりがない場合は、このメールを無視してください。何も変更されません。',
  'mails.takenSubject': '{organization}：あなたのメールアドレスの使用が申し込まれました',
  'mails.taken':
    'このメールアドレスを{organization}の別のアカウントで使うことが申し込まれました。すでにあなたのアカウントで使われているため、何も変更されません。',
  'mails.takenByYou': 'ご自身で申し込んだ場合は、別のメールアドレスを選んでください。',
  'mails.changedSubject': '{organization}：メールアドレスが変更されました',
  'mails.changed':
    '{organization}のアカウントのメールアドレスが{address}に変更されました。今後はこのアドレスでログインしてください。',
  'mails.changedNotYou': '心当たりがない場合は、すぐに組織の管理者に連絡してください。',
  'mails.deactivatedSubject': '{organization}のアカウントが無効になりました',
  'mails.deactivated':
    '{organization}の管理者が、あなたのアカウントを無効にしました。次のアドレスでログインすることはできません。',
  'mails.deactivatedComment': '管理者からのメッセージ：',
  'mails.deactivatedMistake': '間違いだと思われる場合は、組織の管理者にお問い合わせください。',
  'mails.deletionSubject': '{organization}は無効化され、削除されます',
  'mails.deletion': '{person}さんが組織「{organization}」を無効化しました。今後は誰もログインできません。',
  'mails.deletionTime': 'すべてのアカウント、メッセージ、ファイルは{time}に完全に削除されます。',
  'mails.deletionMistake': '間違いの場合は、それまでにサーバーの運営者に組織の再有効化を依頼してください。',
  'welcome.hello': '👋 {organization}へようこそ！',
  'welcome.howItWorks':
    '会話は**チャンネル**で行い、それぞれに**トピック**があります。大事な話題だけを追い、ほかは読み飛ばせます。チャンネルを開き、トピックを選んで、あいさつしてみましょう。誰にでもダイレクトメッセージを送ることもできます。',
  'begin.general': '全般',
  'begin.generalIsFor': 'みんなのチャンネルです。会話ごとにトピックを作りましょう。',
  'begin.announcements': 'お知らせ',
  'begin.announcementsAreFor': '新しいチャンネルと、このサービスの新機能をお知らせします。',
  'begin.howTopicsWork': 'トピックの使い方',
  'begin.everyMessageHasATopic':
    'メッセージには、メールの件名のようにトピックが付きます。ここで返信すると同じトピックに続きます。**C** キーを押すと新しいトピックを始められます。',
  'begin.resolveTopics': '話が済んだら、トピックを解決済みにしましょう。解決後も検索できます。',
  'begin.tryFormatting': '試してみよう：書式',
  'begin.formatting':
    '\\*\\*太字\\*\\*、\\`コード\\`、「- 」で始まるリスト、画像の貼り付けを試してみましょう。ほかの書式は **Aa** ボタンから選べます。',
  'begin.codeKeepsItsColors': 'コードは色分けされます。',
  'begin.welcome':
    '👋 {organization}へようこそ！ 会話は**チャンネル**で行い、それぞれに**トピック**があります。大事な話題だけを追い、ほかは読み飛ばせます。',
  'begin.firstChannel':
    '最初のチャンネルは {channel} です。参加した人は全員ここに入ります。{topic} を開いて返信すれば、もう会話の始まりです。',
  'begin.directMessages':
    'このように、誰にでもダイレクトメッセージを送れます。この会話を読むのはあなただけなので、気軽に試してください。',
  'updates.topic': '新機能',
  'updates.welcome':
    '👋 このチャンネルでは、新しいチャンネルと、このサービスの新機能をお知らせします。管理者は組織の設定で、別のチャンネルを選んだり、お知らせを止めたりできます。',
  'updates.firstVersion':
    '**このバージョンの新機能：** Webクライアントをインストールしてオフラインでも開けるようになり、メッセージ内でGIFが動くようになりました。新しい組織には、このようなお知らせのチャンネルが最初からあります。',
  'people.signups': '新規参加',
  'people.joined': '{person} さんが組織に参加しました。',
  'people.accepted': '{person} さんが招待を受けて参加しました。',
  'channels.events': 'チャンネルの変更',
  'channels.newChannels': '新しいチャンネル',
  'channels.opened': '{person} さんがチャンネルを作成しました。公開範囲： **{privacy}** **説明：**',
  'channels.createdOne': '{person} さんが新しいチャンネル {channel} を作成しました。',
  'channels.createdMany': '{person} さんが次のチャンネルを作成しました： {channels}',
  'channels.renamed': '{person} さんがチャンネル名を **{before}** から **{after}** に変更しました。',
  'channels.described': '{person} さんがこのチャンネルの説明を変更しました。',
  'channels.oldDescription': '変更前の説明：',
  'channels.newDescription': '変更後の説明：',
  'channels.noDescription': '説明はありません。',
  'channels.privacyChanged':
    '{person} さんがこのチャンネルの公開範囲を **{before}** から **{after}** に変更しました。',
  'channels.postingChanged': '{person} さんがこのチャンネルの投稿権限を変更しました：',
  'channels.oldPermissions': '**変更前の権限**：{who}',
  'channels.newPermissions': '**変更後の権限**：{who}',
  'channels.archived': 'チャンネル #**{channel}** がアーカイブされました。',
  'channels.unarchived': 'チャンネル #**{channel}** のアーカイブが解除されました。',
  'channels.webPublic': 'ウェブ公開',
  'channels.public': '公開',
  'channels.sharedHistory': '非公開・履歴を共有',
  'channels.protectedHistory': '非公開・履歴を保護',
  'channels.privateChannel': '非公開チャンネル',
  'channels.subscribedYouToOne': '{person} さんがあなたをチャンネル {channel} に追加しました。',
  'channels.subscribedYouToMany': '{person} さんがあなたを次のチャンネルに追加しました：',
  'groups.nobody': 'なし',
  'groups.owners': 'オーナー',
  'groups.administrators': '管理者',
  'groups.moderators': 'モデレーター',
  'groups.fullMembers': 'フルメンバー',
  'groups.members': 'メンバー',
  'groups.everyone': '全員',
  'groups.addedYou': '{person} さんがあなたをグループ {group} に追加しました。',
  'topics.resolved': '{person} さんがこのトピックを解決済みにしました。',
  'topics.unresolved': '{person} さんがこのトピックを未解決に戻しました。',
  'topics.topicCame': '{person} さんがこのトピックを {place} からここに移動しました。',
  'topics.messagesCame':
    '{count, plural, other {{person} さんが {place} からここに{count}件のメッセージを移動しました。}}',
  'topics.topicWent': '{person} さんがこのトピックを {place} に移動しました。',
  'topics.messagesWent':
    '{count, plural, other {{person} さんがこのトピックから {place} に{count}件のメッセージを移動しました。}}',
  'reminders.forMessage': '{message} のリマインダーです。',
  'reminders.forDirectMessage': '次のダイレクトメッセージのリマインダーです。',
  'reminders.forLostMessage': 'リマインダーですが、対象のメッセージはもう閲覧できません。',
  'reminders.note': 'メモ：',
  'reminders.said': '{person} さんの[発言]({link})：',
  'scheduled.failed': '予約したメッセージは、次のエラーのため送信できませんでした：',
  'scheduled.isKept': '「**送信予約**」にあります。編集や削除ができます。',
  'reports.receiptSpam': '[メッセージ]({link})をスパムとして報告しました。',
  'reports.receiptHarassment': '[メッセージ]({link})をハラスメントとして報告しました。',
  'reports.receiptInappropriate': '[メッセージ]({link})を不適切な内容として報告しました。',
  'reports.receiptNorms': '[メッセージ]({link})をコミュニティの規範への違反として報告しました。',
  'reports.receiptOther': '[メッセージ]({link})をその他の理由で報告しました。',
  'exports.complete':
    'データのエクスポートが完了しました。[エクスポートを表示してダウンロード](/#organization/data-exports-admin)できます。',
  'exports.failed': 'データのエクスポートに失敗しました。{reason}',
  'bots.channelIdMissing':
    'ボット **{bot}** がIDが{channel}のチャンネルにメッセージを送信しようとしましたが、チャンネルがありません。',
  'bots.channelMissing':
    'ボット **{bot}** がチャンネル {channel} にメッセージを送信しようとしましたが、チャンネルが存在しません。[チャンネルを作成](#channels/new)できます。',
  'bots.noSubscribers':
    'ボット **{bot}** がチャンネル {channel} にメッセージを送信しましたが、参加者がいません。',
  'bots.bodyIsNotJson':
    'ボット **{bot}** が{integration}用のリクエストを受信しましたが、本文がJSONではありません。{integration}のWebhook設定で、コンテンツタイプがJSONになっているか確認してください。',
  'bots.headerMissing':
    'ボット **{bot}** が{integration}用のリクエストを受信しましたが、ヘッダー{header}がありません。アドレスが{integration}で使われているか、途中でヘッダーが削除されていないか確認してください。',
  'bots.tooMany':
    'ボット **{bot}** が{integration}から、1つの連携サービスの上限（1分あたり{limit}件）を超えるメッセージを受信しました。超過分は拒否されました。',
  'bots.serverPaused':
    'ボット {bot} のサーバーの呼び出しが{calls}回連続で失敗したため、{minutes}分間呼び出しを停止します。最後のエラー：',
  'bots.serverFailed':
    'ボット {bot} 宛ての[メッセージ]({link})を受けてサーバーを呼び出しましたが、失敗しました。',
  'bots.serverFailedForGoneMessage':
    'ボット {bot} 宛てのメッセージを受けてサーバーを呼び出しましたが、失敗しました。',
  'pages.language': 'ja',
  'pages.direction': 'ltr',
  'pages.needsJavaScript': 'このページにはJavaScriptが必要です。有効にして再読み込みしてください。',
  'pages.email': 'メールアドレス',
  'pages.password': 'パスワード',
  'pages.signIn': 'ログイン',
  'pages.signInRefused': 'メールアドレスとパスワードが一致しません。もう一度お試しください。',
  'consent.title': 'アプリの接続',
  'consent.asks': '{app}と名乗るアプリが、あなたのアカウントへのアクセスを求めています。',
  'consent.nobodyVouches': 'この名前は確認されていません。',
  'consent.describedBy': '{host}に説明があります。',
  'consent.goesTo': '回答は{host}に送信されます。そこでこの操作を始めた場合にだけ続けてください。',
  'consent.youAre': '{person}としてログインしています。アプリに許可する操作を選んでください。',
  'consent.read': 'あなたが閲覧できるメッセージ、チャンネル、人、ファイルの閲覧',
  'consent.send': 'あなたの名前でのメッセージ、リアクション、下書きの作成',
  'consent.organize': 'トピックの移動、メッセージの既読処理、参加チャンネルとステータスの変更',
  'consent.onlySomeChannels': '一部のチャンネルのみ（ダイレクトメッセージは対象外）',
  'consent.channels': 'チャンネル',
  'consent.allow': 'アクセスを許可',
  'consent.refuse': '許可しない',
  'consent.takeBack': '「設定 › APIトークン」でいつでも取り消せます。',
  'consent.noPermission': '権限を1つ以上選んでください。',
  'consent.noChannel': 'チャンネルを1つ以上選んでください。',
  'calls.join': '通話に参加',
  'calls.yourName': '通話中にほかの人に表示される名前',
};

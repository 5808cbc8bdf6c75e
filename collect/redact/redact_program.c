/* redact_program: the programs that take secrets in ways of their own. */
#include "collect/redact/redact_program.h"

const struct redact_program redact_programs[] = {
    /* The first row takes no secrets. Its programs are listed because the options after them are
     * their own, and not those of the program before, as in "curl … | ssh -p 22". */
    {.names =
         "ssh scp sftp rsync mosh docker podman nerdctl kubectl make mkdir tar cp java ps find "
         "git go cargo npm helm nice sudo doas top htop lsof gcc clang grep pytest"},
    {.names = "python python2 python3 pypy3 node deno bun perl ruby php Rscript julia lua",
     .interprets = true},
    {.names = "sh bash dash zsh ksh ash fish su runuser powershell pwsh cmd", .script = true},
    /* plain words name the next word */
    {.names = "sc myproxy-logon hostapd_cli adb jq yq gojq jaq dvc papermill nmcli netsh iwctl "
              "wpa_cli wg redis-cli keydb-cli valkey-cli redis-server valkey-server db2 pdftk",
     .words = true},
    /* names of secrets, which are shown */
    {.names = "gcloud docker podman buildah nerdctl",
     .refs = "secret secrets set-secrets update-secrets secret-add secret-rm from-secret"},
    {.names = "git", .refs = "signingkey"},
    {.names = "aws", .refs = "key"},
    /* -p X and -pX */
    {.names =
         "mstsc winrs certutil cmdkey yt-dlp youtube-dl unar lsar psexec PsExec psexec64 "
         "impacket-psexec ncftp ncftpget ncftpput ncftpls smbmap crackmapexec nxc netexec "
         "evil-winrm hydra medusa xfreerdp wlfreerdp rdesktop wmic winexe ipmipower ipmi-sensors "
         "ipmiconsole bmc-info ipmi-chassis racadm esxcli perccli mycli supervisorctl synapse "
         "mongo mongosh mongodump mongorestore mongoexport mongoimport mongostat mongotop "
         "mongofiles cqlsh beeline hdbsql clickhouse-benchmark nodetool couchbase-cli cbq "
         "neo4j-admin cypher-shell elasticsearch-users rabbitmqadmin mutool pdfcrack steghide "
         "fcrackzip veracrypt truecrypt useradd usermod adduser newusers twine poetry flit sshpass "
         "signtool aescrypt mcrypt scrypt",
     .glued = "p",
     .next = "p",
     .flags = "ev"},
    {.names =
         "knife ipmitool mosquitto_pub mosquitto_sub mosquitto_rr sqlcmd bcp osql isql tsql p4",
     .glued = "P",
     .next = "P"},
    {.names = "redis-cli redis-benchmark keydb-cli valkey-cli iredis", .glued = "a", .next = "a"},
    {.names = "http https httpie xh xhs", .glued = "a", .next = "a", .flags = "fjvbhSdIp"},
    {.names = "vsql kadmin kadmin.local", .glued = "w", .next = "w"},
    {.names = "slappasswd", .glued = "s", .next = "s"},
    {.names = "swift", .glued = "K", .next = "K"},
    {.names = "influx", .glued = "tp", .next = "tp"},
    {.names = "ssh-keygen ssh-add", .glued = "NP", .next = "NP"},
    {.names = "gobuster ccrypt", .glued = "PK", .next = "PK", .hides = "key"},
    {.names = "snmpwalk snmpget snmpset snmpbulkwalk snmpbulkget snmpgetnext snmptrap snmptable "
              "snmpstatus snmpdf",
     .glued = "AXc",
     .next = "AXc"},
    {.names = "ldapsearch ldapadd ldapmodify ldapdelete ldapwhoami ldapcompare ldapmodrdn ldapexop",
     .glued = "w",
     .next = "w",
     .flags = "xLZvncMCAWu"},
    {.names = "ldappasswd", .glued = "wsa", .next = "wsa", .flags = "xZvnCAWS"},
    {.names = "zip zipcloak unzip zipinfo funzip",
     .glued = "P",
     .next = "P",
     .flags = "0123456789abcdefghjlmnopqruvyzACDFLMTUVX"},
    {.names = "security",
     .verbs = "unlock-keychain add-generic-password add-internet-password "
              "set-keychain-password create-keychain import",
     .glued = "wpPko",
     .next = "wpPko"},
    /* only -pX */
    {.names = "mysql mysqldump mysqladmin mysqlimport mysqlshow mysqlcheck mysqlbinlog mysqlslap "
              "mysqlpump mysqlsh mariadb mariadb-dump mariadb-admin mariadb-import mariadb-show "
              "mariadb-check mariadb-backup xtrabackup innobackupex",
     .glued = "p",
     .flags = "ABbCEfGgHiLNnoqrstVvwX"},
    {.names = "7z 7za 7zr 7zz p7zip rar unrar", .glued = "p", .flags = "h"},
    {.names = "arj unace", .glued = "gp"},
    /* only -p X */
    {.names = "supabase pyega3", .next = "p"},
    {.names =
         "anaconda drone doppler codecov netlify vercel fly flyctl doctl surge sentry-cli railway "
         "turbo linode-cli",
     .next = "t"},
    {.names = "openai ss-server ss-local ss-redir ss-tunnel ntfy aescrypt mcrypt scrypt",
     .next = "k"},
    {.names = "openssl", .next = "kK", .hides = "hmac macopt"},
    {.names = "hatch", .next = "a"},
    {.names = "gitlab-runner", .next = "r"},
    {.names = "squidclient", .next = "w"},
    {.names = "stomp ascp", .next = "W"},
    {.names = "kaggle", .verbs = "set", .next = "v"},
    {.names = "docker podman nerdctl buildah skopeo helm oras crane oc cf az ibmcloud rancher "
              "argocd tsh tkn odo",
     .verbs = "login",
     .glued = "p",
     .next = "pt"},
    {.names = "nuget dotnet", .verbs = "push setapikey", .next = "k"},
    {.names = "op bw rbw", .hides = "session"},
    {.names = "gh", .verbs = "secret variable", .glued = "b", .next = "b", .hides = "body"},
    /* user:password */
    {.names = "curl",
     .user = "uUE",
     .longs = "user proxy-user cert proxy-cert",
     .flags = "#0123456789aBfgGiIjJklLMnNOpqRsSvVZ"},
    {.names = "curl", .user = "b", .longs = "cookie", .separator = '='},
    {.names = "ab hey nikto wscat lynx siege", .user = "APau", .longs = "id auth pauth"},
    {.names = "ffuf wfuzz ab", .user = "bC", .separator = '='},
    {.names = "ntfy", .user = "u"},
    {.names = "transmission-remote", .user = "n"},
    {.names = "etcdctl", .longs = "user"},
    {.names = "lftp open", .user = "u", .separator = ','},
    {.names = "wbinfo", .user = "a", .separator = '%'},
    {.names = "mount mount.cifs", .longs = "user username", .separator = '%'},
    {.names = "smbclient rpcclient smbget net smbcacls smbmap nmblookup",
     .user = "U",
     .longs = "user",
     .separator = '%'},
    {.names = "sqlplus sqlldr exp imp expdp impdp rman sql sqlcl",
     .longs = "userid target catalog auxiliary",
     .separator = '/'},
    {.names = "kubectl oc k3s microk8s kustomize",
     .verbs = "secret secrets",
     .longs = "from-literal",
     .separator = '='},
    /* NAME=X */
    {.names = "vault bao nomad", .verbs = "put patch", .pairs = true},
    /* long options */
    {.names = "kubeseal", .hides = "from-literal"},
    {.names = "mix", .hides = "key"},
    {.names = "sops", .hides = "set"},
    {.names = "mvn sonar-scanner gradle gradlew mvnw", .hides = "Dsonar.login Dsonar.token"},
    {.names = "databricks", .hides = "string-value"},
    {.names = "schtasks signtool", .hides = "rp p"},
    {.names = "vault bao", .hides = "secret_id id value"},
    {.names = "consul nomad serf", .hides = "encrypt"},
    {.names = "aws az", .verbs = "put-parameter secret", .hides = "value"},
    {.names = "sipp swaks sendemail sendEmail vmrun xtrabackup caddy keytool",
     .hides = "ap xp gp plaintext srcstorepass new"},
    /* plain arguments */
    {.names = "oathtool ConvertTo-SecureString mkpasswd", .bare = 1},
    {.names = "radtest smbclient wpa_passphrase htpasswd", .bare = 2},
    {.names = "mosquitto_passwd isql iusql", .bare = 3},
    {.names = "neo4j-admin db2 qpdf openssl ansible-vault rclone ngrok "
              "grafana-cli grafana nuget pulumi",
     .verbs = "set-initial-password set-default-admin using USING --encrypt passwd "
              "encrypt_string obscure authtoken add-authtoken reset-admin-password setapikey "
              "setApiKey --secret",
     .bare = 1},
    {.names = "mysqladmin mariadb-admin", .verbs = "password", .bare = 1},
    {.names = "vault bao cargo wandb pro", .verbs = "login unseal attach", .bare = 1},
    {.names = "redis-cli keydb-cli valkey-cli", .verbs = "auth AUTH", .bare = 1},
    {.names = "b2", .verbs = "authorize-account authorize", .bare = 1},
    {.names = "bw", .verbs = "unlock", .bare = 1},
    {.names = "etcdctl", .verbs = "add", .bare = 1},
    {.names = "cloudflared", .verbs = "install", .bare = 1},
    {.names = "iwconfig iw", .verbs = "key", .bare = 1},
    {.names = "twilio bw ip confluent drush nifi.sh steamcmd rabbitmqctl",
     .verbs = "login enc auth auth-trunc aead store user:password upwd +login add_user "
              "change_password authenticate_user set-single-user-credentials",
     .bare = 2},
    {.names = "cf", .verbs = "auth", .bare = 2},
    {.names = "conda mamba", .verbs = "token", .bare = 2},
    {.names = "glab netlify vercel credstash", .verbs = "set env:set put", .bare = 2},
    {.names = "bundle", .verbs = "config set", .bare = 2},
    {.names = "samba-tool net", .verbs = "create setpassword user", .bare = 2},
    {.names = "networksetup chamber keyctl virsh mc mcli sops",
     .verbs = "-setairportnetwork write add padd update set set-user-password",
     .bare = 3},
    {.names = "net", .verbs = "use USE", .bare = 3},
    {.names = "poetry composer", .verbs = "config", .bare = 3},
    {.names = "redis-cli keydb-cli valkey-cli", .verbs = "acl ACL", .bare = 3},
    {.names = "jq gojq jaq", .verbs = "--arg"},
};

const size_t redact_programs_n = sizeof redact_programs / sizeof *redact_programs;
